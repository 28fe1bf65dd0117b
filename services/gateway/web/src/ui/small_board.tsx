// A position to look at: no moves, no coordinates.
import { Chessground } from '@lichess-org/chessground';
import type { Key } from '@lichess-org/chessground/types';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Color } from '../chess/color.ts';
import { placementText, positionOf } from '../chess/position.ts';
import { VARIANT_TRAITS, type Variant } from '../chess/variants.ts';

interface SmallBoardProps {
  fen: string;
  variant: Variant;
  orientation: Color;
  /** UCI. */
  lastMove: string | null;
}

export function SmallBoard({ fen, variant, orientation, lastMove }: SmallBoardProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const board = Chessground(element.current, {
      fen: placementText(positionOf(fen).placement),
      orientation,
      viewOnly: true,
      coordinates: false,
      lastMove: lastMove ? [lastMove.slice(0, 2), lastMove.slice(2, 4)].filter((square) => /^[a-h]/.test(square)) as Key[] : [],
    });
    return () => board.destroy();
  }, [fen, orientation, lastMove]);
  return <div class={`small-board ${VARIANT_TRAITS[variant].oldMen ? 'old-men' : ''}`} ref={element} aria-hidden="true" />;
}
