// What the page needs to know of each variant: how it is drawn and what a move of it does to the board.
import type { ChaturangaRules } from './rule_sets.ts';

export const VARIANTS = [
  'standard',
  'chess960',
  'threeCheck',
  'kingOfTheHill',
  'crazyhouse',
  'atomic',
  'shatranj',
  'chaturanga',
] as const;

export type Variant = (typeof VARIANTS)[number];

interface Traits {
  castles: boolean;
  /** A firz and elephants stand where queen and bishops do; the letters in FEN and moves stay Q and B. */
  oldMen: boolean;
  pockets: boolean;
  explodes: boolean;
  /** Squares of the board that matter in themselves. */
  hill: readonly string[];
}

const CHESS: Traits = { castles: true, oldMen: false, pockets: false, explodes: false, hill: [] };
const OLD: Traits = { ...CHESS, castles: false, oldMen: true };

export const VARIANT_TRAITS: Readonly<Record<Variant, Traits>> = {
  standard: CHESS,
  chess960: CHESS,
  threeCheck: CHESS,
  kingOfTheHill: { ...CHESS, hill: ['d4', 'e4', 'd5', 'e5'] },
  crazyhouse: { ...CHESS, pockets: true },
  atomic: { ...CHESS, explodes: true },
  shatranj: OLD,
  chaturanga: OLD,
};

/** The variant that the wire names; standard chess from a position has a key of its own in the public API. */
export function variantOf(key: string | undefined): Variant {
  return VARIANTS.find((variant) => variant === key) ?? 'standard';
}

const rows = (white: string, black: string): string => `${black}/pppppppp/8/8/8/8/PPPPPPPP/${white} w - - 0 1`;

/** The first array of a game that names no position of its own. A Chess960 game always names one. */
export function startFen(variant: Variant, options: ChaturangaRules): string {
  if (variant === 'shatranj') return rows('RNBKQBNR', 'rnbkqbnr');
  if (variant === 'threeCheck') return 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1';
  if (variant !== 'chaturanga') return 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const cornered = options.elephant === 'cornerRookwiseLeap';
  const army = (kingOnE: boolean): string => {
    const middle = kingOnE ? 'QK' : 'KQ';
    return cornered ? `BNR${middle}RNB` : `RNB${middle}BNR`;
  };
  const whiteOnE = options.kings !== 'facingOnD';
  const blackOnE = options.kings === 'facingOnE';
  return rows(army(whiteOnE), army(blackOnE).toLowerCase());
}
