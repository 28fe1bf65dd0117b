import assert from 'node:assert/strict';
import { test } from 'node:test';
import { h } from 'preact';
import { RestError } from '../../src/net/rest.ts';
import { listText, spanOf } from '../../src/words/language.ts';
import { problemText } from '../../src/words/problem.ts';
import { say, sayRich } from '../../src/words/say.ts';
import { piecesText } from '../../src/words/wording.ts';

test('a message is said with its arguments, numbers in their plural', () => {
  assert.equal(say('play.resign'), 'Resign');
  assert.equal(say('party.turnSeconds', { seconds: 1 }), '1 second a turn');
  assert.equal(say('party.turnSeconds', { seconds: 30 }), '30 seconds a turn');
  assert.equal(say('invite.joinAs', { side: 'black' }), 'Join as Black');
});

test('tags of a message become elements, wherever the language puts them', () => {
  const strong = (parts: readonly unknown[]) => h('strong', null, ...(parts as string[]));
  const parts = sayRich('people.beaten', { level: '3', variant: 'Atomic', wins: 2, withoutHelp: 0, strong });
  assert.equal((parts[0] as { type?: unknown }).type, 'strong');
  assert.equal(parts[1], ' in Atomic: beaten 2 times, with help');
});

test('keys and arguments are checked when the page is compiled', () => {
  // @ts-expect-error an unknown key
  assert.equal(say('play.nothing'), 'play.nothing');
  // @ts-expect-error no arguments
  assert.throws(() => say('party.turnSeconds'));
  // @ts-expect-error another type
  assert.equal(typeof say('party.turnSeconds', { seconds: '30' }), 'string');
  // @ts-expect-error another side
  assert.equal(say('invite.joinAs', { side: 'red' }), 'Join as ');
  // @ts-expect-error a message with tags is no string
  assert.notEqual(typeof say('people.beaten', { level: '', variant: '', wins: 1, withoutHelp: 1, strong: () => h('b', null) }), 'string');
});

test('lists and spans have the commas of the language', () => {
  assert.equal(listText(['pawn', 'rook', 'queen']), 'pawn, rook, queen');
  assert.equal(spanOf(['2 days', '4 h']), '2 days 4 h');
  assert.equal(piecesText([['p', 2], ['q', 3]], 'shatranj'), '2 pawns, 3 firzes');
});

test('a failed request shows a sentence of the server, or one made from its code', () => {
  assert.equal(problemText(new RestError(400, 'bad_time', 'No such time.')), 'No such time.');
  assert.match(problemText(new RestError(0, 'unreachable', '')), /cannot be reached/);
  assert.equal(problemText(new RestError(502, '', '')), 'The server answered with status 502.');
  assert.equal(problemText(null), '');
});
