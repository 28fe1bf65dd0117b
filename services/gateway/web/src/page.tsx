// The page: the address says what it shows.
import { render } from 'preact';
import { GameSession } from './game_session.ts';
import { socketAddress } from './player_link.ts';
import { GamePage } from './views/game_page.tsx';
import { HomePage } from './views/home_page.tsx';
import { ImportPage } from './views/import_page.tsx';
import { PartyPage } from './views/party_page.tsx';
import { PlayerPage } from './views/player_page.tsx';
import { RulesPage } from './views/rules_page.tsx';
import './styles/page.css';

const GAME_PATH = /^\/([A-Za-z0-9]{8})(?:[A-Za-z0-9]{4})?(?:\/(white|black))?\/?$/;
const PARTY_PATH = /^\/party\/([A-Za-z0-9_-]+)\/?$/;
const PLAYER_PATH = /^\/player\/([^/]+)\/?$/;
const RULES_PATH = /^\/rules(?:\/([A-Za-z0-9]+))?\/?$/;

function start(root: HTMLElement): void {
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
