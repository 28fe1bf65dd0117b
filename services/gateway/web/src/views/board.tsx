// The board: shows a position, takes moves, and asks which piece a pawn becomes.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { Dests, Key } from '@lichess-org/chessground/types';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placementText, promotes, type Placement } from '../position.ts';
import { other, type Color } from '../wire.ts';
import { PromotionChooser } from './promotion_chooser.tsx';

export interface BoardPosition {
  placement: Placement;
  turn: Color;
  /** The side whose king is in check. */
  check: Color | null;
  lastMove: string | null;
  /** Legal moves in UCI; empty when the side to move may not be moved here. */
  legal: readonly string[];
}

interface BoardProps {
  position: BoardPosition;
  orientation: Color;
  /** Whose pieces may be moved; null for nobody's. */
  you: Color | null;
  /** What the board is, for those who do not see it. */
  label: string;
  onMove(uci: string): void;
}

function destinations(legal: readonly string[]): Dests {
  const dests: Dests = new Map();
  for (const uci of legal) {
    const from = uci.slice(0, 2) as Key;
    dests.set(from, [...(dests.get(from) ?? []), uci.slice(2, 4) as Key]);
  }
  return dests;
}

const squares = (uci: string | null): Key[] => (uci ? [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key] : []);

export function Board({ position, orientation, you, label, onMove }: BoardProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [promotion, setPromotion] = useState<{ from: string; to: string } | null>(null);
  const moved = useRef<(from: string, to: string, premove: boolean) => void>(() => undefined);

  moved.current = (from, to, premove) => {
    if (!promotes(position.placement, from, to)) onMove(from + to);
    else if (premove) onMove(`${from}${to}q`);
    else setPromotion({ from, to });
  };

  const config: Config = {
    fen: placementText(position.placement),
    orientation,
    turnColor: position.turn,
    check: position.check ?? false,
    lastMove: squares(position.lastMove),
    movable: {
      free: false,
      color: you ?? undefined!,
      dests: destinations(position.turn === you ? position.legal : []),
    },
    premovable: { enabled: you !== null },
  };

  useLayoutEffect(() => {
    if (!element.current) return;
    const motion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const api = Chessground(element.current, {
      ...config,
      coordinates: true,
      animation: { enabled: !motion, duration: 180 },
      draggable: { distance: 4, showGhost: true },
      drawable: { enabled: false },
      movable: {
        ...config.movable,
        showDests: true,
        events: { after: (from, to, meta) => moved.current(from, to, meta.premove) },
      },
    });
    ground.current = api;
    const resized = new ResizeObserver(() => api.redrawAll());
    resized.observe(element.current);
    return () => {
      resized.disconnect();
      api.destroy();
    };
  }, []);

  const key = [config.fen, orientation, position.turn, position.check, position.lastMove, you, position.legal.join()].join('|');
  useEffect(() => {
    const api = ground.current;
    if (!api) return;
    setPromotion(null);
    api.set(config);
    if (you === null) api.cancelPremove();
    else if (position.turn === you) api.playPremove();
  }, [key]);

  const choose = (role: string | null): void => {
    setPromotion(null);
    if (promotion && role) onMove(`${promotion.from}${promotion.to}${role}`);
    else ground.current?.set(config);
  };

  return (
    <div class="board-square">
      <div class="board" ref={element} role="img" aria-label={label} data-testid="board" />
      {promotion && (
        <PromotionChooser
          square={promotion.to}
          color={you ?? other(position.turn)}
          orientation={orientation}
          onChoose={choose}
        />
      )}
    </div>
  );
}
