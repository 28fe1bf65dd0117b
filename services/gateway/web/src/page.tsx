// The page: the address says what it shows.
import { render } from 'preact';
import { HomePage } from './lobby/home_page.tsx';
import { socketAddress } from './net/player_link.ts';
import { PartyPage } from './party/party_page.tsx';
import { PlayerPage } from './people/player_page.tsx';
import { GamePage } from './play/game_page.tsx';
import { GameSession } from './play/game_session.ts';
import { RulesPage } from './rules/rules_page.tsx';
import { ImportPage } from './watch/import_page.tsx';
import { LANGUAGE } from './words/language.ts';
import './styles/page.css';

const GAME_PATH = /^\/([A-Za-z0-9]{8})(?:[A-Za-z0-9]{4})?(?:\/(white|black))?\/?$/;
const PARTY_PATH = /^\/party\/([A-Za-z0-9_-]+)\/?$/;
const PLAYER_PATH = /^\/player\/([^/]+)\/?$/;
const RULES_PATH = /^\/rules(?:\/([A-Za-z0-9]+))?\/?$/;

function start(root: HTMLElement): void {
  document.documentElement.lang = LANGUAGE;
  const rules = RULES_PATH.exec(location.pathname);
  if (rules) return render(<RulesPage of={rules[1] ?? null} />, root);
  if (/^\/import\/?$/.test(location.pathname)) return render(<ImportPage />, root);
  const party = PARTY_PATH.exec(location.pathname);
  if (party) return render(<PartyPage id={party[1]!} />, root);
  const player = PLAYER_PATH.exec(location.pathname);
  if (player) return render(<PlayerPage id={decodeURIComponent(player[1]!)} />, root);
  const match = GAME_PATH.exec(location.pathname);
  if (!match) return render(<HomePage />, root);
  const session = new GameSession(match[1]!, socketAddress());
  render(<GamePage session={session} viewpoint={match[2] === 'black' ? 'black' : 'white'} />, root);
  session.start();
  window.addEventListener('online', () => session.hurry());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') session.hurry();
  });
  // A page kept in the back-forward cache comes back with a dead connection.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) session.restart();
  });
}

start(document.getElementById('page')!);
