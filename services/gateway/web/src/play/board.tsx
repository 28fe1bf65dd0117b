// The board: shows a position, takes moves and drops, and asks which piece a pawn becomes.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { Dests, Key, MouchEvent, SquareClasses } from '@lichess-org/chessground/types';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { other, type Color } from '../chess/color.ts';
import { legalList, type LegalList } from '../chess/legal_list.ts';
import { placementText, ROLES, type Placement } from '../chess/position.ts';
import { VARIANT_TRAITS, type Variant } from '../chess/variants.ts';
import { PromotionChooser } from './promotion_chooser.tsx';

export interface BoardPosition {
  placement: Placement;
  turn: Color;
  /** The side whose king is in check. */
  check: Color | null;
  lastMove: string | null;
  /** Squares that the last move blew up. */
  blast: readonly string[];
  /** Legal moves in UCI; empty when the side to move may not be moved here. */
  legal: readonly string[];
}

/** Begins to drag a piece from the hand onto the board. */
export type Grab = (letter: string, event: MouchEvent) => void;

interface BoardProps {
  variant: Variant;
  position: BoardPosition;
  orientation: Color;
  /** Whose pieces may be moved; null for nobody's. */
  you: Color | null;
  /** The letter of the piece in hand that is to be dropped. */
  hand: string | null;
  /** What the board is, for those who do not see it. */
  label: string;
  /** A move to be marked, in UCI. */
  hint: string | null;
  /** Whether it is marked where the chosen piece can go. */
  legalMarks: boolean;
  /** Another value sets the board back to the position. */
  reset: number;
  /** Filled with what a pocket needs to drag a piece out of it. */
  grab: RefObject<Grab>;
  onMove(uci: string): void;
  /** The piece in hand is not to be dropped after all, or was. */
  onHandEmpty(): void;
}

/** The squares of a move to be marked: the one where a piece was dropped, or both. */
const squares = (uci: string | null): Key[] => {
  if (!uci) return [];
  const to = uci.slice(2, 4) as Key;
  return uci.charAt(1) === '@' ? [to] : [uci.slice(0, 2) as Key, to];
};

function marks(variant: Variant, blast: readonly string[], targets: readonly string[], hint: string | null): SquareClasses {
  const classes: SquareClasses = new Map();
  const mark = (square: string, name: string): void => {
    classes.set(square as Key, [classes.get(square as Key), name].filter(Boolean).join(' '));
  };
  for (const square of VARIANT_TRAITS[variant].hill) mark(square, 'hill');
  for (const square of blast) mark(square, 'blast');
  for (const square of targets) mark(square, 'drop-dest');
  for (const square of squares(hint)) mark(square, 'hinted');
  return classes;
}

/** Whether things should not move. */
const stillness = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

export const dropUci = (letter: string, square: string): string => `${letter.toUpperCase()}@${square}`;

export function Board({ variant, position, orientation, you, hand, label, reset, hint, legalMarks, grab, onMove, onHandEmpty }: BoardProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const [promotion, setPromotion] = useState<{ square: string; moves: readonly string[] } | null>(null);
  const yours = position.turn === you ? position.legal : [];
  const legal: LegalList = legalList(yours, position.placement, variant);
  const targets = (hand && legal.drops.get(hand)) || [];
  const { castles, oldMen } = VARIANT_TRAITS[variant];

  const moved = (from: string, to: string, premove: boolean): void => {
    const moves = legal.moves(from, to);
    const [only] = moves;
    if (only === undefined) return;
    if (moves.length === 1) onMove(only);
    else if (premove) onMove(moves.find((uci) => uci.endsWith('q')) ?? only);
    else setPromotion({ square: to, moves });
  };
  const dropped = (letter: string, to: string): void => {
    if (legal.drops.get(letter)?.includes(to)) onMove(dropUci(letter, to));
    else ground.current?.set(config);
    onHandEmpty();
  };
  const selected = (square: string): void => {
    if (!hand) return;
    if (targets.includes(square)) dropped(hand, square);
    else onHandEmpty();
  };

  const config: Config = {
    fen: placementText(position.placement),
    orientation,
    turnColor: position.turn,
    check: position.check ?? false,
    lastMove: squares(position.lastMove),
    autoCastle: castles,
    highlight: { custom: marks(variant, position.blast, legalMarks ? targets : [], hint) },
    movable: { free: false, color: you ?? undefined!, dests: legal.dests as Dests, showDests: legalMarks },
    // The library knows where a queen and a bishop may go one day; a firz and an elephant go elsewhere.
    premovable: { enabled: you !== null && !oldMen },
  };

  // What the library calls later is what this render means.
  const now = useRef({ moved, dropped, selected });
  now.current = { moved, dropped, selected };

  useLayoutEffect(() => {
    if (!element.current) return;
    const api = Chessground(element.current, {
      ...config,
      coordinates: true,
      animation: { enabled: !stillness(), duration: 180 },
      draggable: { distance: 4, showGhost: true },
      drawable: { enabled: false },
      movable: {
        ...config.movable,
        events: {
          after: (from, to, meta) => now.current.moved(from, to, meta.premove),
          afterNewPiece: (role, to) => now.current.dropped(letterOf(role), to),
        },
      },
      events: { select: (square) => now.current.selected(square) },
    });
    ground.current = api;
    const resized = new ResizeObserver(() => api.redrawAll());
    resized.observe(element.current);
    return () => {
      resized.disconnect();
      api.destroy();
    };
  }, []);

  grab.current = (letter, event) => {
    const role = ROLES[letter];
    if (role && you) ground.current?.dragNewPiece({ role, color: you }, event);
  };

  // A move is shown twice, before the server has decided it and after: it explodes once. What stood there at first does not.
  const seen = useRef<{ shown: boolean; blown: string | null }>({ shown: false, blown: null });
  const { turn, check, lastMove } = position;
  const key = [config.fen, orientation, turn, check, lastMove, you, position.legal.join(), reset, legalMarks].join('|');
  useEffect(() => {
    const api = ground.current;
    if (!api) return;
    setPromotion(null);
    api.set(config);
    const blown = position.blast.length > 0 ? placementText(position.placement) : null;
    if (blown !== null && blown !== seen.current.blown && seen.current.shown && !stillness()) {
      api.explode(position.blast as Key[]);
    }
    seen.current = { shown: true, blown };
    if (you === null) api.cancelPremove();
    else if (position.turn === you) api.playPremove();
  }, [key]);

  useEffect(() => {
    const api = ground.current;
    if (!api) return;
    if (hand) api.selectSquare(null);
    api.set({ highlight: config.highlight! });
  }, [hand, hint, key]);

  const choose = (uci: string | null): void => {
    setPromotion(null);
    if (uci) onMove(uci);
    else ground.current?.set(config);
  };

  return (
    <div class="board-square">
      <div class="board" ref={element} role="img" aria-label={label} data-testid="board" />
      {promotion && (
        <PromotionChooser
          square={promotion.square}
          moves={promotion.moves}
          variant={variant}
          color={you ?? other(position.turn)}
          orientation={orientation}
          onChoose={choose}
        />
      )}
    </div>
  );
}

const letterOf = (role: string): string => Object.keys(ROLES).find((letter) => ROLES[letter] === role) ?? 'p';
