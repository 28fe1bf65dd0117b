// The player's games that are going on, in the server's order: those that wait for the player first, the most urgent before all.
import type { VNode } from 'preact';
import { variantOf } from '../chess/variants.ts';
import { spanText } from '../play/clock.ts';
import { SmallBoard } from '../ui/small_board.tsx';
import { say } from '../words/say.ts';
import type { OwnGame } from './rest_lobby.ts';

const opponentName = ({ opponent: { ai, username } }: OwnGame): string =>
  ai ? say('lobby.computerLevel', { level: ai }) : username;

export function RunningGames({ games }: { games: readonly OwnGame[] }): VNode | null {
  if (games.length === 0) return null;
  return (
    <section class="running" aria-labelledby="running-title">
      <h2 id="running-title">{say('lobby.running')}</h2>
      <ul>
        {games.map((game) => (
          <li key={game.gameId}>
            <a class={`card running-game ${game.isMyTurn ? 'due' : ''}`} href={`/${game.gameId}`} data-testid="running-game">
              <SmallBoard fen={game.fen} variant={variantOf(game.variant.key)} orientation={game.color} lastMove={game.lastMove ?? null} />
              <span class="running-text">
                <strong>{opponentName(game)}</strong>
                <span>
                  {say(game.isMyTurn ? 'lobby.yourMove' : 'lobby.waiting')}
                  {game.secondsLeft != null && ` · ${say('lobby.left', { span: spanText(game.secondsLeft * 1000) })}`}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
