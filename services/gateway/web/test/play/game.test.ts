import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHATURANGA, PRESETS } from '../../src/chess/rule_sets.ts';
import type { GameState } from '../../src/net/wire.ts';
import {
  applyVersion,
  fromFull,
  isYourTurn,
  mayAskTakeback,
  mayChangeLevel,
  mayGiveTime,
  mayHint,
  mayUndo,
  needsLegal,
  type Game,
} from '../../src/play/game.ts';
import { AFTER_E4, AFTER_E5, FULL, START } from '../states.ts';

const PLAYED = [
  { uci: 'e2e4', san: 'e4', clock: 60_000 },
  { uci: 'e7e5', san: 'e5', clock: 57_000 },
];

function game(change: Partial<Game> = {}, state: Partial<GameState> = {}): Game {
  const base = fromFull({ ...FULL, v: 3, state: { ...AFTER_E5, ...state }, moves: PLAYED });
  return { ...base, ...change };
}

const COMPUTER = { ...FULL.info, black: { id: 'computer', name: 'Computer', guest: false, level: 3 } };
const BY_CONSENT = {
  ...FULL.info,
  ruleSet: 'custom',
  rules: { ...PRESETS.fide, takeback: 'byConsent', chaturanga: CHATURANGA },
} as const;

test('what is taken back leaves the list of moves, and another move may follow', () => {
  const back = applyVersion(game(), 4, { ...AFTER_E4, takebacks: 1 });
  assert.equal(back.kind, 'applied');
  assert(back.kind === 'applied');
  assert.deepEqual(back.game.moves.map((move) => move.san), ['e4']);
  const again = applyVersion(back.game, 5, { ...AFTER_E5, lastMove: { uci: 'c7c5', san: 'c5' } });
  assert(again.kind === 'applied');
  assert.deepEqual(again.game.moves.map((move) => move.san), ['e4', 'c5']);
});

test('an undone end lets the game go on', () => {
  const ended = game({}, { status: 'ended', winner: 'black', reason: 'resignation' });
  const back = applyVersion(ended, 4, START);
  assert(back.kind === 'applied');
  assert.deepEqual(back.game.moves, []);
  assert.equal(isYourTurn(back.game), true);
});

test('a move of a computer in a seat is marked', () => {
  const before = { ...fromFull(FULL), v: 1 };
  const after = applyVersion(before, 2, AFTER_E4, true);
  assert(after.kind === 'applied');
  assert.equal(after.game.moves[0]?.byComputer, true);
  const own = applyVersion(before, 2, AFTER_E4);
  assert(own.kind === 'applied');
  assert.equal(own.game.moves[0]?.byComputer, undefined);
});

test('the state of a version that comes again with its legal moves is taken, and no other', () => {
  const { legal: _, ...bare } = AFTER_E5;
  const without = { ...game(), state: bare };
  assert.equal(needsLegal(without), true);
  assert.equal(needsLegal({ ...without, info: { ...FULL.info, white: { id: 'computer', name: 'C', guest: false, level: 1 } } }), false);
  const again = applyVersion(without, 3, AFTER_E5);
  assert(again.kind === 'applied');
  assert.deepEqual(again.game.state.legal, ['g1f3']);
  assert.equal(applyVersion(game(), 3, AFTER_E5).kind, 'known');
});

test('against the computer a move is undone, also after the end, and a hint is for the own turn', () => {
  const now = game({ info: COMPUTER });
  assert.deepEqual([mayUndo(now), mayHint(now), mayChangeLevel(now)], [true, true, false]);
  const fresh = { ...now, state: START, moves: [] };
  assert.deepEqual([mayUndo(fresh), mayHint(fresh), mayChangeLevel(fresh)], [false, true, true]);
  // The computer has begun, the player has not moved yet.
  const asBlack = { ...now, state: AFTER_E4, you: 'black', info: { ...FULL.info, white: COMPUTER.black } } as const;
  assert.deepEqual([mayUndo(asBlack), mayChangeLevel(asBlack)], [false, true]);
  const over = game({ info: COMPUTER }, { status: 'ended' });
  assert.deepEqual([mayUndo(over), mayHint(over)], [true, false]);
  assert.equal(mayUndo(game({ info: COMPUTER }, { status: 'aborted' })), false);
  assert.equal(mayUndo(game()), false);
});

test('a takeback is asked for where the rule set knows it, between people who are there', () => {
  assert.equal(mayAskTakeback(game()), false);
  assert.equal(mayAskTakeback(game({ info: BY_CONSENT })), true);
  assert.equal(mayAskTakeback(game({ info: BY_CONSENT, you: null })), false);
  assert.equal(mayAskTakeback(game({ info: BY_CONSENT }, { takebackOffer: 'black' })), false);
  assert.equal(mayAskTakeback(game({ info: BY_CONSENT }, { seats: { white: null, black: 1 } })), false);
  assert.equal(mayAskTakeback(game({ info: BY_CONSENT }, { ply: 1 })), false);
});

test('time is given with a clock that runs, and nobody moves in a pause', () => {
  const paused = { flagged: 'black', since: 0, goingOnOffered: false, winner: 'white' } as const;
  assert.equal(mayGiveTime(game()), true);
  assert.equal(mayGiveTime(game({}, { withoutClock: true })), false);
  assert.equal(mayGiveTime(game({}, { paused })), false);
  assert.equal(mayGiveTime(game({ info: { ...FULL.info, timeControl: { type: 'unlimited' } } })), false);
  assert.equal(isYourTurn(game()), true);
  assert.equal(isYourTurn(game({}, { paused })), false);
});
