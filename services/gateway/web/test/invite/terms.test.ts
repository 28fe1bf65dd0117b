// The terms of an invitation, and the form that changes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Challenge } from '../../src/invite/challenges.ts';
import { termsOf, termsOfChallenge, timeChoice, timeFields } from '../../src/invite/terms.ts';

const CHALLENGE: Challenge = {
  id: 'abcdefgh',
  status: 'created',
  url: '',
  challenger: { id: 'ann', name: 'Ann', title: null, online: true },
  destUser: null,
  color: 'white',
  finalColor: 'white',
  timeControl: { type: 'clock', limit: 180, increment: 2, show: '3+2' },
  speed: 'blitz',
  perf: { icon: '', name: 'Atomic' },
  variant: { key: 'atomic', name: 'Atomic', short: 'Atom' },
  ruleSet: 'friendly',
  rated: true,
  createdAt: 0,
  expiresAt: 0,
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
    [{ type: 'clock', limit: 600, increment: 0, show: '10+0' }, { 'clock.limit': 600, 'clock.increment': 0 }],
    [{ type: 'clock', limit: 15, increment: 7, show: '¼+7' }, { 'clock.limit': 15, 'clock.increment': 7 }],
    [{ type: 'perMove', secondsPerTurn: 60, show: '60 s' }, { perMove: 60 }],
    [{ type: 'correspondence', daysPerTurn: 14 }, { days: 14 }],
    [{ type: 'unlimited' }, {}],
  ];
  assert.equal(timeChoice({ type: 'clock', limit: 600, increment: 7, show: '10+7' }).kind, 'custom');
  for (const [control, fields] of rows) assert.deepEqual(timeFields(timeChoice(control)), fields);
});
