import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captures } from '../../src/chess/captured.ts';
import type { Color } from '../../src/chess/color.ts';
import { afterMove, explodes, placementText, positionOf, type Position } from '../../src/chess/position.ts';
import type { Variant } from '../../src/chess/variants.ts';
import { START_FEN } from '../states.ts';

const placed = (fen: string): ReadonlyMap<string, string> => positionOf(fen).placement;

function play(fen: string, variant: Variant, uci: string, mover: Color = 'white'): Position {
  return afterMove(positionOf(fen), uci, mover, variant);
}

const held = (position: Position, color: Color): string =>
  [...position.pockets[color]].map(([letter, count]) => letter.repeat(count)).join('');

test('a placement survives reading and writing', () => {
  const rows = [START_FEN, 'r3k2r/1P5P/8/3pP3/8/8/p6p/R3K2R w KQkq d6 0 1', '8/8/8/8/8/8/8/8 w - - 0 1'];
  for (const fen of rows) assert.equal(placementText(placed(fen)), fen.split(' ')[0]);
});

test('pockets are read in brackets and as a ninth row, promoted pieces by their marks', () => {
  for (const fen of ['r~3k3/8/8/8/8/8/8/4K2Q~[QPPnp] w - - 0 1', 'r~3k3/8/8/8/8/8/8/4K2Q~/QPPnp w - - 0 1']) {
    const position = positionOf(fen);
    assert.equal(held(position, 'white'), 'qpp');
    assert.equal(held(position, 'black'), 'np');
    assert.deepEqual([...position.promoted], ['a8', 'h1']);
    assert.equal(placementText(position.placement), 'r3k3/8/8/8/8/8/8/4K2Q');
  }
  assert.equal(held(positionOf('4k3/8/8/8/8/8/8/4K3[] w - - 0 1'), 'white'), '');
});

test('check counters are read as given and as still needed', () => {
  assert.deepEqual(positionOf('4k3/8/8/8/8/8/8/4K3 w - - 2+3 0 1').checks, { white: 1, black: 0 });
  assert.deepEqual(positionOf('4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+2').checks, { white: 1, black: 2 });
  assert.equal(positionOf(START_FEN).checks, null);
});

test('moves of every kind leave the right pieces', () => {
  const start = 'r3k2r/1P5P/8/3pP3/8/8/p6p/R3K2R';
  const rows: [string, string][] = [
    ['e5d6', 'r3k2r/1P5P/3P4/8/8/8/p6p/R3K2R'], // en passant
    ['e5e6', 'r3k2r/1P5P/4P3/3p4/8/8/p6p/R3K2R'],
    ['e1g1', 'r3k2r/1P5P/8/3pP3/8/8/p6p/R4RK1'],
    ['e1h1', 'r3k2r/1P5P/8/3pP3/8/8/p6p/R4RK1'], // the same, king takes rook
    ['e1c1', 'r3k2r/1P5P/8/3pP3/8/8/p6p/2KR3R'],
    ['b7b8q', 'rQ2k2r/7P/8/3pP3/8/8/p6p/R3K2R'],
    ['b7a8n', 'N3k2r/7P/8/3pP3/8/8/p6p/R3K2R'],
  ];
  for (const [uci, wanted] of rows) assert.equal(placementText(play(start, 'standard', uci).placement), wanted, uci);
  assert.equal(placementText(play(start, 'standard', 'e8c8', 'black').placement), '2kr3r/1P5P/8/3pP3/8/8/p6p/R3K2R');
});

test('a Chess960 king castles from anywhere, also without moving far', () => {
  const rows: [string, string, string][] = [
    ['4k3/8/8/8/8/8/8/1RK4R', 'c1b1', '4k3/8/8/8/8/8/8/2KR3R'], // the king stays
    ['4k3/8/8/8/8/8/8/RK5R', 'b1a1', '4k3/8/8/8/8/8/8/2KR3R'],
    ['4k3/8/8/8/8/8/8/5KRR', 'f1g1', '4k3/8/8/8/8/8/8/5RKR'], // they change places
    ['4k3/8/8/8/8/8/8/RK5R', 'b1h1', '4k3/8/8/8/8/8/8/R4RK1'],
  ];
  for (const [fen, uci, wanted] of rows) assert.equal(placementText(play(fen, 'chess960', uci).placement), wanted, uci);
});

test('in Crazyhouse what is taken is held, a promoted piece as a pawn, and drops leave the hand', () => {
  const before = 'q~3k3/1P6/8/8/8/8/8/4K3[PN] w - - 0 1';
  const taken = play(before, 'crazyhouse', 'b7a8q');
  assert.equal(held(taken, 'white'), 'ppn');
  assert.deepEqual([...taken.promoted], ['a8']);
  const dropped = play(before, 'crazyhouse', 'N@e4');
  assert.equal(held(dropped, 'white'), 'p');
  assert.equal(dropped.placement.get('e4'), 'N');
  assert.equal(held(play('4k3/8/8/8/8/8/8/4K3[pp] b - - 0 1', 'crazyhouse', 'P@a3', 'black'), 'black'), 'p');
  // A promoted piece that moves stays one.
  assert.deepEqual([...play('4k3/8/8/8/8/8/8/Q~3K3[] w - - 0 1', 'crazyhouse', 'a1a5').promoted], ['a5']);
});

test('in Atomic a capture takes both pieces and all around them but pawns', () => {
  const fen = '4k3/8/2nbp3/2pr4/3P1N2/8/8/3RK3';
  assert.equal(placementText(play(fen, 'atomic', 'f4d5').placement), '4k3/8/4p3/2p5/3P4/8/8/3RK3');
  assert.deepEqual(explodes(placed(fen), 'e1e2'), []);
  assert.deepEqual(explodes(placed('4k3/8/8/8/8/8/p7/RK6'), 'b1a2'), ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
  assert.deepEqual(explodes(placed('4k3/8/8/8/8/8/8/4K2R'), 'e1h1'), []); // castling takes nothing
  // En passant: the pawn that is taken stands beside.
  assert.equal(placementText(play('4k3/8/2n5/3pP3/8/8/8/4K3', 'atomic', 'e5d6').placement), '4k3/8/8/8/8/8/8/4K3');
});

test('in Antichess a pawn becomes a king, and a king beside its rook takes no castling for granted', () => {
  assert.equal(placementText(play('8/P7/8/8/8/8/8/7r', 'antichess', 'a7a8k').placement), 'K7/8/8/8/8/8/8/7r');
  assert.equal(placementText(play('7r/8/8/8/8/8/8/R3K3', 'antichess', 'e1d1').placement), '7r/8/8/8/8/8/8/R2K4');
});

test('a Shatranj king that steps two files on another rank does not castle', () => {
  assert.equal(placementText(play('4k3/8/8/8/8/8/8/R3K2R', 'chaturanga', 'e1g2').placement), '4k3/8/8/8/8/8/6K1/R6R');
});

test('captured pieces are those missing, promoted pawns set off', () => {
  const initial = placed(START_FEN);
  assert.deepEqual(captures(initial, 'white', initial), { taken: [], ahead: 0 });
  // White promoted a pawn to a second queen after taking the rook on a8; Black took nothing.
  const promoted = placed('Q1bqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR');
  assert.deepEqual(captures(promoted, 'white', initial), { taken: ['r', 'n', 'p'], ahead: 17 });
  assert.deepEqual(captures(promoted, 'black', initial), { taken: [], ahead: 0 });
});
