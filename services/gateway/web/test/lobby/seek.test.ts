// The fields of a seek.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_TERMS, termsOf, timeChoice } from '../../src/invite/terms.ts';
import { seekFields } from '../../src/lobby/rest_lobby.ts';

test('a seek counts in minutes and names a range only when there is one', () => {
  const terms = termsOf({ ...FIRST_TERMS, time: timeChoice({ type: 'clock', limit: 15, increment: 0, show: '¼+0' }) });
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
