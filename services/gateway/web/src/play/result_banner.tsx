// How the game ended, and where to go from there.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../words/say.ts';
import { ending } from '../words/wording.ts';
import type { Company } from './company.ts';
import type { Game } from './game.ts';
import type { GameSession } from './game_session.ts';
import { Afterwards } from './presence_notes.tsx';
import { Rematch } from './rematch.tsx';

/** Where a game's moves are to be had as a file. */
const pgnHref = (gameId: string): string => `/game/export/${gameId}`;

interface ResultBannerProps {
  session: GameSession;
  game: Game;
  company: Company;
}

export function ResultBanner({ session, game, company }: ResultBannerProps): VNode | null {
  const [problem, setProblem] = useState('');
  const end = ending(game.state);
  if (!end) return null;
  const { you, info, state } = game;
  const feeling = !you || !state.winner ? '' : state.winner === you ? 'won' : 'lost';

  return (
    <section class={`card result ${feeling}`} aria-label={say('play.result')} data-testid="result">
      <div class="result-line">
        <h2>{end.headline}</h2>
        {end.score && <span class="score">{end.score}</span>}
      </div>
      <p>{end.reason}</p>
      <Afterwards game={game} company={company} />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        <Rematch session={session} game={game} onProblem={setProblem} />
        <a class="button" href="/">
          {say('play.newGame')}
        </a>
        <a class="button" href={pgnHref(info.id)} download={`${info.id}.pgn`}>
          {say('play.pgn')}
        </a>
      </div>
    </section>
  );
}
