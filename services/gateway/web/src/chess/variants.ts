// What the page needs to know of each variant: how it is drawn and what a move of it does to the board.
import type { ChaturangaRules } from './rule_sets.ts';

interface Traits {
  castles: boolean;
  /** Whether `#` marks checkmate alone; elsewhere it marks other wins, too. */
  matesOnly: boolean;
  /** A firz and elephants stand where queen and bishops do; the letters in FEN and moves stay Q and B. */
  oldMen: boolean;
  pockets: boolean;
  explodes: boolean;
  /** Squares of the board that matter in themselves. */
  hill: readonly string[];
  /** The initial position of a game that names no position of its own; Chaturanga's follows from its options. */
  start: string;
}

const rows = (white: string, black: string, rest = 'w - - 0 1'): string =>
  `${black}/pppppppp/8/8/8/8/PPPPPPPP/${white} ${rest}`;

const CHESS = {
  castles: true,
  matesOnly: false,
  oldMen: false,
  pockets: false,
  explodes: false,
  hill: [],
  start: rows('RNBQKBNR', 'rnbqkbnr', 'w KQkq - 0 1'),
};
const OLD = { ...CHESS, castles: false, oldMen: true, start: rows('RNBKQBNR', 'rnbkqbnr') };

const TRAITS = {
  standard: { ...CHESS, matesOnly: true },
  chess960: { ...CHESS, matesOnly: true },
  threeCheck: { ...CHESS, start: rows('RNBQKBNR', 'rnbqkbnr', 'w KQkq - 3+3 0 1') },
  kingOfTheHill: { ...CHESS, hill: ['d4', 'e4', 'd5', 'e5'] },
  crazyhouse: { ...CHESS, matesOnly: true, pockets: true },
  atomic: { ...CHESS, explodes: true },
  antichess: { ...CHESS, castles: false, start: rows('RNBQKBNR', 'rnbqkbnr') },
  horde: {
    ...CHESS,
    start: 'rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1',
  },
  racingKings: {
    ...CHESS,
    castles: false,
    hill: ['a8', 'b8', 'c8', 'd8', 'e8', 'f8', 'g8', 'h8'],
    start: '8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1',
  },
  shatranj: OLD,
  chaturanga: OLD,
} satisfies Record<string, Traits>;

export type Variant = keyof typeof TRAITS;

export const VARIANT_TRAITS: Readonly<Record<Variant, Traits>> = TRAITS;

export const VARIANTS = Object.keys(TRAITS) as readonly Variant[];

/** The variant that the wire names; standard chess from a position has a key of its own in the public API. */
export function variantOf(key: string | undefined): Variant {
  return VARIANTS.find((variant) => variant === key) ?? 'standard';
}

/** The initial position of a game that names no position of its own. A Chess960 game always names one. */
export function startFen(variant: Variant, options: ChaturangaRules): string {
  if (variant !== 'chaturanga') return VARIANT_TRAITS[variant].start;
  const cornered = options.elephant === 'cornerRookwiseLeap';
  const army = (kingOnE: boolean): string => {
    const middle = kingOnE ? 'QK' : 'KQ';
    return cornered ? `BNR${middle}RNB` : `RNB${middle}BNR`;
  };
  const whiteOnE = options.kings !== 'facingOnD';
  const blackOnE = options.kings === 'facingOnE';
  return rows(army(whiteOnE), army(blackOnE).toLowerCase());
}
