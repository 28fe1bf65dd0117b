import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legalList } from '../../src/chess/legal_list.ts';
import { positionOf } from '../../src/chess/position.ts';
import type { Variant } from '../../src/chess/variants.ts';

const list = (fen: string, variant: Variant, legal: string) =>
  legalList(legal.split(' '), positionOf(fen).placement, variant);

test('drops stand by their letter and are no moves from a square', () => {
  const moves = list('4k3/8/8/8/8/8/8/4K3[NP]', 'crazyhouse', 'N@e4 N@f3 P@e4 e1e2');
  assert.deepEqual(moves.drops.get('n'), ['e4', 'f3']);
  assert.deepEqual(moves.drops.get('p'), ['e4']);
  assert.deepEqual([...moves.dests], [['e1', ['e2']]]);
});

test('a king castles by its own square and by the rook’s, in both spellings', () => {
  const standard = list('4k3/8/8/8/8/8/8/R3K2R', 'standard', 'e1g1 e1c1 e1f1');
  for (const to of ['g1', 'h1']) assert.deepEqual(standard.moves('e1', to), ['e1g1']);
  for (const to of ['c1', 'a1']) assert.deepEqual(standard.moves('e1', to), ['e1c1']);
  const chess960 = list('4k3/8/8/8/8/8/8/1R2K1R1', 'chess960', 'e1g1 e1b1 e1f1');
  assert.deepEqual(chess960.moves('e1', 'g1'), ['e1g1']);
  for (const to of ['c1', 'b1']) assert.deepEqual(chess960.moves('e1', to), ['e1b1']);
});

test('a step to the next square is never read as castling', () => {
  const moves = list('4k3/8/8/8/8/8/8/5K1R', 'chess960', 'f1h1 f1g1');
  assert.deepEqual(moves.moves('f1', 'g1'), ['f1g1']);
  assert.deepEqual(list('4k3/8/8/8/8/8/8/5K1R', 'chess960', 'f1h1').moves('f1', 'g1'), []);
  assert.deepEqual(moves.moves('f1', 'h1'), ['f1h1']);
});

test('a pawn that may become several pieces has a move for each, one that becomes a firz has one', () => {
  assert.equal(list('8/P7/8/8/8/8/8/4K2k', 'standard', 'a7a8q a7a8r a7a8b a7a8n').moves('a7', 'a8').length, 4);
  assert.deepEqual(list('8/P7/8/8/8/8/8/4K2k', 'shatranj', 'a7a8q').moves('a7', 'a8'), ['a7a8q']);
});

test('a king that leaps like a knight does not castle', () => {
  assert.deepEqual(list('4k3/8/8/8/8/8/8/R3K2R', 'chaturanga', 'e1g2').moves('e1', 'h1'), []);
});
