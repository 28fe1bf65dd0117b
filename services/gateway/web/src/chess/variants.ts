// What the page needs to know of each variant: how it is drawn and what a move of it does to the board.
import type { ChaturangaRules } from './rule_sets.ts';

interface Traits {
  name: string;
  /** What it is about, in a line. */
  line: string;
  castles: boolean;
  /** Whether `#` marks checkmate alone; elsewhere it marks other wins, too. */
  matesOnly: boolean;
  /** A firz and elephants stand where queen and bishops do; the letters in FEN and moves stay Q and B. */
  oldMen: boolean;
  pockets: boolean;
  explodes: boolean;
  /** Squares of the board that matter in themselves. */
  hill: readonly string[];
  /** The first array of a game that names no position of its own; Chaturanga's follows from its options. */
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
  standard: { ...CHESS, matesOnly: true, name: 'Standard', line: 'Chess as everybody knows it.' },
  chess960: { ...CHESS, matesOnly: true, name: 'Chess960', line: 'The pieces begin in one of 960 orders.' },
  threeCheck: {
    ...CHESS,
    name: 'Three-check',
    line: 'The third check wins, as does mate.',
    start: rows('RNBQKBNR', 'rnbqkbnr', 'w KQkq - 3+3 0 1'),
  },
  kingOfTheHill: {
    ...CHESS,
    name: 'King of the Hill',
    line: 'A king on a central square wins.',
    hill: ['d4', 'e4', 'd5', 'e5'],
  },
  crazyhouse: {
    ...CHESS,
    matesOnly: true,
    name: 'Crazyhouse',
    line: 'What you take, you may drop as your own.',
    pockets: true,
  },
  atomic: { ...CHESS, name: 'Atomic', line: 'Each capture explodes. Blow up the king.', explodes: true },
  antichess: {
    ...CHESS,
    name: 'Antichess',
    line: 'Lose all your pieces to win. Captures are forced.',
    castles: false,
    start: rows('RNBQKBNR', 'rnbqkbnr'),
  },
  horde: {
    ...CHESS,
    name: 'Horde',
    line: 'Thirty-six pawns against an army.',
    start: 'rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1',
  },
  racingKings: {
    ...CHESS,
    name: 'Racing Kings',
    line: 'The first king on the last rank wins. No checks.',
    castles: false,
    hill: ['a8', 'b8', 'c8', 'd8', 'e8', 'f8', 'g8', 'h8'],
    start: '8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1',
  },
  shatranj: { ...OLD, name: 'Shatranj', line: 'The game of Baghdad, with firz and elephants.' },
  chaturanga: { ...OLD, name: 'Chaturanga', line: 'India’s game, as far as it is known.' },
} satisfies Record<string, Traits>;

export type Variant = keyof typeof TRAITS;

export const VARIANT_TRAITS: Readonly<Record<Variant, Traits>> = TRAITS;

export const VARIANTS = Object.keys(TRAITS) as readonly Variant[];

/** The variant that the wire names; standard chess from a position has a key of its own in the public API. */
export function variantOf(key: string | undefined): Variant {
  return VARIANTS.find((variant) => variant === key) ?? 'standard';
}

/** The first array of a game that names no position of its own. A Chess960 game always names one. */
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
