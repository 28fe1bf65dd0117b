// A player's line of ratings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparkline } from '../../src/people/sparkline.ts';

test('a line of ratings fills its box', () => {
  assert.equal(sparkline([1500, 1520, 1510], 104, 24), '2.0,22.0 52.0,2.0 102.0,12.0');
  assert.equal(sparkline([1500, 1500], 104, 24), '2.0,22.0 102.0,22.0');
});
