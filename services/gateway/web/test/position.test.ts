import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captures } from '../src/captured.ts';
import { afterMove, placementOf, placementText, promotes, START_FEN } from '../src/position.ts';

test('a placement survives reading and writing', () => {
  const rows = [START_FEN, 'r3k2r/1P5P/8/3pP3/8/8/p6p/R3K2R w KQkq d6 0 1', '8/8/8/8/8/8/8/8 w - - 0 1'];
  for (const fen of rows) assert.equal(placementText(placementOf(fen)), fen.split(' ')[0]);
});

test('moves of every kind leave the right men', () => {
  const start = 'r3k2r/1P5P/8/3pP3/8/8/p6p/R3K2R';
  const rows: [string, string][] = [
    ['e5d6', 'r3k2r/1P5P/3P4/8/8/8/p6p/R3K2R'], // en passant
    ['e5e6', 'r3k2r/1P5P/4P3/3p4/8/8/p6p/R3K2R'],
    ['e1g1', 'r3k2r/1P5P/8/3pP3/8/8/p6p/R4RK1'],
    ['e1c1', 'r3k2r/1P5P/8/3pP3/8/8/p6p/2KR3R'],
    ['e8c8', '2kr3r/1P5P/8/3pP3/8/8/p6p/R3K2R'],
    ['b7b8q', 'rQ2k2r/7P/8/3pP3/8/8/p6p/R3K2R'],
    ['b7a8n', 'N3k2r/7P/8/3pP3/8/8/p6p/R3K2R'],
  ];
  for (const [uci, wanted] of rows) assert.equal(placementText(afterMove(placementOf(start), uci)), wanted, uci);
});

test('only a pawn that reaches its last rank promotes', () => {
  const placement = placementOf('r3k2r/1P5P/8/8/8/8/p6p/R3K2R');
  assert.ok(promotes(placement, 'b7', 'b8'));
  assert.ok(promotes(placement, 'a2', 'a1'));
  assert.ok(!promotes(placement, 'a8', 'a7'));
  assert.ok(!promotes(placement, 'e1', 'e8'));
});

test('captured men are those missing, promoted pawns set off', () => {
  assert.deepEqual(captures(placementOf(START_FEN), 'white'), { taken: [], ahead: 0 });
  // White promoted a pawn to a second queen after taking the rook on a8; Black took nothing.
  const promoted = placementOf('Q1bqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR');
  assert.deepEqual(captures(promoted, 'white'), { taken: ['r', 'n', 'p'], ahead: 17 });
  assert.deepEqual(captures(promoted, 'black'), { taken: [], ahead: 0 });
});
