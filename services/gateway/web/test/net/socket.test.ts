import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import {
  BACKOFF_AFTER_FLOOD_MS,
  PING_AFTER_MS,
  PONG_WITHIN_MS,
  RETRY_MAX_MS,
  RETRY_MIN_MS,
  retryDelay,
  Socket,
} from '../../src/net/socket.ts';
import { WELCOME } from '../states.ts';
import { FakeNetwork } from './fake_socket.ts';

let network: FakeNetwork;
let socket: Socket;
let links: string[];
let refusals: string[];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000 });
  network = new FakeNetwork();
  links = [];
  refusals = [];
  const events = {
    frame: () => undefined,
    link: (link: string) => void links.push(link),
    refused: (cause: string) => void refusals.push(cause),
  };
  socket = new Socket('ws://test', events, network.open);
  socket.connect();
  network.newest.opened();
  network.newest.says(WELCOME);
});

/** Time passes in small steps, since the mock starts timers made on the way only at the end of a step. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 50) mock.timers.tick(Math.min(50, left));
}

test('the delay grows, is random, and has both limits', () => {
  for (const random of [0, 0.999]) {
    for (let attempt = 0; attempt < 40; attempt++) {
      const delay = retryDelay(attempt, random);
      assert.ok(delay >= RETRY_MIN_MS && delay <= RETRY_MAX_MS, `${delay}`);
    }
  }
  assert.ok(retryDelay(3, 0.9) > retryDelay(1, 0.9));
  assert.notEqual(retryDelay(3, 0.1), retryDelay(3, 0.9));
});

test('an idle connection is pinged, a busy one is not', () => {
  pass(PING_AFTER_MS - 100);
  socket.send({ t: 'sub', game: 'abcdefgh', v: 0 });
  pass(PING_AFTER_MS - 100);
  assert.equal(network.newest.sent.filter((frame) => frame['t'] === 'p').length, 0);
  pass(100);
  assert.equal(network.newest.sent.filter((frame) => frame['t'] === 'p').length, 1);
});

test('a ping without an answer in time ends the connection, and a new one is made', () => {
  pass(PING_AFTER_MS + PONG_WITHIN_MS);
  assert.deepEqual(links, ['open', 'lost']);
  pass(2 * RETRY_MIN_MS);
  assert.equal(network.sockets.length, 2);
});

test('answered pings keep the connection', () => {
  for (let i = 0; i < 10; i++) {
    pass(PING_AFTER_MS);
    network.newest.says({ t: 'p', now: 0 });
  }
  assert.deepEqual(links, ['open']);
});

test('after a flood the page waits as long as the protocol says', () => {
  network.newest.dies(4029);
  pass(BACKOFF_AFTER_FLOOD_MS - 1);
  assert.equal(network.sockets.length, 1);
  pass(1);
  assert.equal(network.sockets.length, 2);
});

test('a server that is being replaced is left at once, and the next attempts wait', () => {
  network.newest.dies(1012);
  pass(1);
  assert.equal(network.sockets.length, 2);
  network.newest.dies(1012);
  pass(RETRY_MIN_MS - 1);
  assert.equal(network.sockets.length, 2);
});

test('an invalid token and a frame too large are told apart', () => {
  network.newest.dies(4001);
  assert.deepEqual(refusals, ['tokenInvalid']);
  pass(RETRY_MAX_MS);
  network.newest.opened();
  network.newest.dies(1009);
  assert.deepEqual(refusals, ['tokenInvalid', 'frameTooLarge']);
});

test('a late word of an old connection is not heard', () => {
  const old = network.newest;
  socket.restart();
  old.dies();
  assert.equal(network.sockets.length, 2);
  assert.deepEqual(links, ['open']);
});

test('hurry does not wait for the next attempt', () => {
  network.newest.dies();
  socket.hurry();
  assert.equal(network.sockets.length, 2);
});
