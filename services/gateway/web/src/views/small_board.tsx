// A position to look at: no moves, no coordinates.
import { Chessground } from '@lichess-org/chessground';
import type { Key } from '@lichess-org/chessground/types';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Color } from '../wire.ts';

interface SmallBoardProps {
  fen: string;
  orientation: Color;
  /** UCI. */
  lastMove: string | null;
}

export function SmallBoard({ fen, orientation, lastMove }: SmallBoardProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      fen,
      orientation,
      viewOnly: true,
      coordinates: false,
      lastMove: lastMove ? [lastMove.slice(0, 2) as Key, lastMove.slice(2, 4) as Key] : [],
    });
    return () => board.destroy();
  }, [fen, orientation, lastMove]);
  return <div class="small-board" ref={element} aria-hidden="true" />;
}
