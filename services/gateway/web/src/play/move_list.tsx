// The moves in two columns; each can be looked at.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PlayedMove } from '../net/wire.ts';
import { Icon } from '../ui/icon.tsx';
import { Figurine } from '../ui/piece.tsx';
import { say } from '../words/say.ts';

interface MoveListProps {
  moves: readonly PlayedMove[];
  /** The ply whose position is shown: 0 is the start, moves.length the newest. */
  shown: number;
  /** Half-moves before the first of this game: 1 when Black began. */
  offset: number;
  onShow(ply: number): void;
}

export function MoveList({ moves, shown, offset, onShow }: MoveListProps): VNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box) return;
    // Only the list scrolls, never the page.
    if (!current) box.scrollTop = 0;
    else box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }, [shown, moves.length]);

  const cell = (ply: number): VNode => {
    const move = moves[ply];
    if (!move) return <span />;
    return (
      <button
        type="button"
        class="move"
        aria-current={shown === ply + 1 ? 'step' : undefined}
        onClick={() => onShow(ply + 1)}
      >
        <Figurine san={move.san} />
        {move.byComputer && (
          <span class="by-computer" role="img" aria-label={say('play.madeByComputer')} title={say('play.madeByComputerTitle')}>
            <Icon name="computer" />
          </span>
        )}
      </button>
    );
  };

  const rows = Math.ceil((moves.length + offset) / 2);
  return (
    <ol class="moves" ref={list} aria-label={say('play.moves')} data-testid="moves" tabIndex={0}>
      {moves.length === 0 && <li class="no-moves">{say('play.noMoves')}</li>}
      {Array.from({ length: rows }, (_, row) => (
        <li key={row}>
          <span class="number" aria-hidden="true">
            {row + 1}
          </span>
          {row * 2 - offset < 0 ? <span class="move">…</span> : cell(row * 2 - offset)}
          {cell(row * 2 + 1 - offset)}
        </li>
      ))}
    </ol>
  );
}
