import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOf, lineRange } from '../../src/watch/import_place.ts';

test('the line of a fault is read off its place', () => {
  const rows: [string, number | null][] = [
    ['games[0].line[7]', 7],
    ['games[0].line[12].move', 12],
    ['pgn', null],
    ['', null],
  ];
  for (const [at, line] of rows) assert.equal(lineOf(at), line);
});

test('a line is found in its text, also the last one and one that is not there', () => {
  const text = '[White "A"]\n\n1. e4 e5\n2. Ke3 *';
  assert.equal(text.slice(...lineRange(text, 3)), '1. e4 e5');
  assert.equal(text.slice(...lineRange(text, 4)), '2. Ke3 *');
  assert.equal(text.slice(...lineRange(text, 9)), '');
});
