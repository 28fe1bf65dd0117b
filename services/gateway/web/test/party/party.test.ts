// What may be done in a party, and which state of it is newer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Party } from '../../src/net/wire.ts';
import { isMember, mayStart, newer } from '../../src/party/party.ts';

const PARTY: Party = {
  id: 'p',
  v: 3,
  host: 'ann',
  settings: { turnLimit: 0, legalMarks: true, swapColors: true, variant: 'standard', ruleSet: 'party' },
  members: ['bob', 'cleo', 'ann'].map((id, at) => ({ id, name: id, guest: false, spectator: false, joinedAt: at })),
  next: ['bob', 'cleo'],
  game: null,
  createdAt: 0,
  closed: false,
};

test('the host and the two who are next may start, while no game is on', () => {
  assert.deepEqual(['ann', 'bob', 'cleo'].map((id) => mayStart(PARTY, id)), [true, true, true]);
  assert.equal(mayStart(PARTY, 'dora'), false);
  assert.equal(mayStart(PARTY, undefined), false);
  assert.equal(mayStart({ ...PARTY, game: 'abcdefgh' }, 'ann'), false);
  assert.equal(mayStart({ ...PARTY, next: [] }, 'ann'), false);
  assert.equal(mayStart({ ...PARTY, closed: true }, 'ann'), false);
  assert.equal(isMember(PARTY, 'dora'), false);
});

test('an older state of a party is not taken, one of the same version is: its game may be over', () => {
  assert.equal(newer(PARTY, { ...PARTY, v: 2 }), PARTY);
  const over = { ...PARTY, game: null };
  assert.equal(newer({ ...PARTY, game: 'abcdefgh' }, over), over);
  assert.equal(newer(null, PARTY), PARTY);
});
