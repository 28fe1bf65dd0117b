// What arranges games: terms of a form, seeks, parties, a player's line of ratings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMember, mayStart, newer } from '../../src/party/party.ts';
import type { Challenge } from '../../src/net/rest.ts';
import { seekFields } from '../../src/lobby/rest_lobby.ts';
import { sparkline } from '../../src/people/sparkline.ts';
import { FIRST_TERMS, termsOf, termsOfChallenge, timeChoice, timeFields } from '../../src/invite/terms.ts';
import type { Party } from '../../src/net/wire.ts';

const CHALLENGE: Challenge = {
  id: 'abcdefgh',
  status: 'created',
  url: '',
  challenger: { id: 'ann', name: 'Ann' },
  color: 'white',
  timeControl: { type: 'clock', limit: 180, increment: 2 },
  variant: { key: 'atomic' },
  ruleSet: 'friendly',
  rated: true,
};

test('an invitation becomes the form of whoever it is to, with the colour that is left', () => {
  const choice = termsOfChallenge(CHALLENGE);
  assert.deepEqual(termsOf(choice), {
    'clock.limit': 180,
    'clock.increment': 2,
    color: 'black',
    variant: 'atomic',
    ruleSet: 'friendly',
    rated: true,
  });
  assert.equal(termsOfChallenge({ ...CHALLENGE, color: 'random' }).color, 'random');
});

test('every time control goes through the form unchanged', () => {
  const rows: [Challenge['timeControl'], object][] = [
    [{ type: 'clock', limit: 600, increment: 0 }, { 'clock.limit': 600, 'clock.increment': 0 }],
    [{ type: 'clock', limit: 15, increment: 7 }, { 'clock.limit': 15, 'clock.increment': 7 }],
    [{ type: 'perMove', secondsPerTurn: 60 }, { perMove: 60 }],
    [{ type: 'correspondence', daysPerTurn: 14 }, { days: 14 }],
    [{ type: 'unlimited' }, {}],
  ];
  assert.equal(timeChoice({ type: 'clock', limit: 600, increment: 7 }).kind, 'custom');
  for (const [control, fields] of rows) assert.deepEqual(timeFields(timeChoice(control)), fields);
});

test('a seek counts in minutes and names a range only when there is one', () => {
  const terms = termsOf({ ...FIRST_TERMS, time: timeChoice({ type: 'clock', limit: 15, increment: 0 }) });
  const asked = seekFields(terms, '1500-1800');
  assert.deepEqual(asked, {
    time: 0.25,
    increment: 0,
    color: 'random',
    variant: 'standard',
    ruleSet: 'fide',
    ratingRange: '1500-1800',
  });
  assert.deepEqual(seekFields({ ...terms, days: 3 }, '')['ratingRange' as never], undefined);
});

const PARTY: Party = {
  id: 'p',
  v: 3,
  host: 'ann',
  settings: { turnLimit: 0, legalMarks: true, swapColors: true, variant: 'standard', ruleSet: 'party' },
  members: ['bob', 'cleo', 'ann'].map((id, at) => ({ id, name: id, spectator: false, joinedAt: at })),
  next: ['bob', 'cleo'],
  game: null,
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

test('a line of ratings fills its box', () => {
  assert.equal(sparkline([1500, 1520, 1510], 104, 24), '2.0,22.0 52.0,2.0 102.0,12.0');
  assert.equal(sparkline([1500, 1500], 104, 24), '2.0,22.0 102.0,22.0');
});
