// The player's games that are going on, those that wait for the player first.
import { Chessground } from '@lichess-org/chessground';
import type { Key } from '@lichess-org/chessground/types';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RunningGame } from '../rest.ts';

export function RunningGames({ games }: { games: readonly RunningGame[] }): VNode | null {
  if (games.length === 0) return null;
  const sorted = [...games].sort((a, b) => Number(b.isMyTurn) - Number(a.isMyTurn));
  return (
    <section class="running" aria-labelledby="running-title">
      <h2 id="running-title">Your games</h2>
      <ul>
        {sorted.map((game) => (
          <li key={game.gameId}>
            <a class={`card running-game ${game.isMyTurn ? 'due' : ''}`} href={`/${game.gameId}`} data-testid="running-game">
              <SmallBoard game={game} />
              <span class="running-text">
                <strong>{game.opponent.ai ? `Computer, level ${game.opponent.ai}` : game.opponent.username}</strong>
                <span>{game.isMyTurn ? 'Your move' : 'Waiting'}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SmallBoard({ game }: { game: RunningGame }): VNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const move = game.lastMove;
    const board = Chessground(element.current, {
      fen: game.fen,
      orientation: game.color,
      viewOnly: true,
      coordinates: false,
      lastMove: move ? [move.slice(0, 2) as Key, move.slice(2, 4) as Key] : [],
    });
    return () => board.destroy();
  }, [game.fen, game.color, game.lastMove]);
  return <div class="small-board" ref={element} aria-hidden="true" />;
}
