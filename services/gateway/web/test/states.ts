// Game states to start from.
import { CHATURANGA } from '../src/chess/rule_sets.ts';
import { startFen } from '../src/chess/variants.ts';
import type { GameState, ServerFrame } from '../src/net/wire.ts';

export const START_FEN = startFen('standard', CHATURANGA);

export const START: GameState = {
  status: 'started',
  winner: null,
  reason: null,
  ply: 0,
  fen: START_FEN,
  turn: 'white',
  check: false,
  lastMove: null,
  clock: { white: 60_000, black: 60_000, running: null },
  at: 1_000,
  deadline: null,
  drawOffer: null,
  claims: [],
  legal: ['e2e4', 'd2d4'],
};

export const AFTER_E4: GameState = {
  ...START,
  ply: 1,
  fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
  turn: 'black',
  lastMove: { uci: 'e2e4', san: 'e4' },
  clock: { white: 60_000, black: 60_000, running: 'black' },
  at: 2_000,
  legal: ['e7e5'],
};

export const AFTER_E5: GameState = {
  ...AFTER_E4,
  ply: 2,
  fen: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2',
  turn: 'white',
  lastMove: { uci: 'e7e5', san: 'e5' },
  clock: { white: 60_000, black: 57_000, running: 'white' },
  at: 5_000,
  legal: ['g1f3'],
};

export const FULL: Extract<ServerFrame, { t: 'full' }> = {
  t: 'full',
  game: 'abcdefgh',
  v: 1,
  info: {
    id: 'abcdefgh',
    variant: 'standard',
    ruleSet: 'claimed',
    timeControl: { type: 'clock', initial: 60_000, increment: 0 },
    white: { id: 'ann', name: 'Ann', guest: false },
    black: { id: 'bob', name: 'Bob', guest: false },
    rated: false,
    source: 'open',
    initialFen: null,
    createdAt: 0,
  },
  state: START,
  moves: [],
  you: 'white',
};

export const WELCOME: ServerFrame = { t: 'welcome', player: { id: 'ann', name: 'Ann', guest: false }, now: 1_000, protocol: 1 };
