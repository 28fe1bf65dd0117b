// Where requests go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from '../../src/net/rest.ts';

test('an address has the names of its path, encoded, and only the query that is asked', () => {
  assert.equal(addressOf('GET /api/account', {}), '/api/account');
  assert.equal(addressOf('GET /api/user/{username}', { of: { username: 'a/b é' } }), '/api/user/a%2Fb%20%C3%A9');
  assert.equal(
    addressOf('GET /api/flagfall/games', { query: { player: 'ann', nb: 20 } }),
    '/api/flagfall/games?player=ann&nb=20',
  );
});
