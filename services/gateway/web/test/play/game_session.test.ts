import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { GameSession, UNAVAILABLE_REPEAT_MS } from '../../src/play/game_session.ts';
import { FakeNetwork } from '../net/fake_socket.ts';
import { AFTER_E4, AFTER_E5, FULL, START, WELCOME } from '../states.ts';

let network: FakeNetwork;
let session: GameSession;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000 });
  network = new FakeNetwork();
  session = new GameSession('abcdefgh', 'ws://test', network.open);
  session.start();
});

function connect(): void {
  network.newest.opened();
  network.newest.says(WELCOME);
}

function sent(t: string): Record<string, unknown>[] {
  return network.newest.sent.filter((frame) => frame['t'] === t);
}

test('a new page asks for the whole game', () => {
  connect();
  assert.deepEqual(sent('sub'), [{ t: 'sub', game: 'abcdefgh', v: 0 }]);
  network.newest.says(FULL);
  assert.equal(session.view.game?.v, 1);
});

test('a move is shown before the server has decided it, and stays when it is acknowledged', () => {
  connect();
  network.newest.says(FULL);
  session.move('e2e4');
  assert.equal(session.view.pending?.uci, 'e2e4');
  const [command] = sent('move');
  assert.equal(command?.['ply'], 0);
  network.newest.says({ t: 'ack', id: String(command?.['id']), game: 'abcdefgh', v: 2, state: AFTER_E4 });
  assert.equal(session.view.pending, null);
  assert.deepEqual(session.view.game?.moves.map((move) => move.san), ['e4']);
});

test('a refused move is taken back, and the reason is told', () => {
  connect();
  network.newest.says(FULL);
  session.move('e2e4');
  const id = String(sent('move')[0]?.['id']);
  network.newest.says({ t: 'nack', id, game: 'abcdefgh', code: 'time_is_up', message: 'The clock had run out.' });
  assert.equal(session.view.pending, null);
  assert.equal(session.view.notice?.text, 'The clock had run out.');
  assert.equal(session.view.game?.state.ply, 0);
});

test('a command that was not possible for now is sent again with the same id', () => {
  connect();
  network.newest.says(FULL);
  session.move('e2e4');
  const id = String(sent('move')[0]?.['id']);
  network.newest.says({ t: 'nack', id, game: 'abcdefgh', code: 'unavailable', message: 'Later.' });
  assert.equal(session.view.pending?.id, id);
  mock.timers.tick(UNAVAILABLE_REPEAT_MS);
  assert.deepEqual(sent('move').map((frame) => frame['id']), [id, id]);
});

test('after a lost connection the page resumes by version and repeats what was not answered', () => {
  connect();
  network.newest.says(FULL);
  session.move('e2e4');
  const id = sent('move')[0]?.['id'];
  network.newest.dies();
  assert.equal(session.view.link, 'lost');
  mock.timers.tick(400);
  connect();
  assert.equal(network.sockets.length, 2);
  assert.deepEqual(sent('sub'), [{ t: 'sub', game: 'abcdefgh', v: 1 }]);
  assert.deepEqual(sent('move').map((frame) => frame['id']), [id]);
  network.newest.says({
    t: 'events',
    game: 'abcdefgh',
    events: [
      { v: 2, kind: 'move', by: 'white', state: AFTER_E4 },
      { v: 3, kind: 'move', by: 'black', state: AFTER_E5 },
    ],
  });
  assert.equal(session.view.pending, null);
  assert.deepEqual(session.view.game?.moves.map((move) => move.san), ['e4', 'e5']);
});

test('a version seen twice changes nothing', () => {
  connect();
  network.newest.says(FULL);
  for (let i = 0; i < 2; i++) {
    network.newest.says({ t: 'event', game: 'abcdefgh', v: 2, kind: 'move', by: 'white', state: AFTER_E4 });
  }
  assert.equal(session.view.game?.moves.length, 1);
});

test('a gap is not guessed: the page asks once for what is missing', () => {
  connect();
  network.newest.says(FULL);
  for (const v of [3, 4]) {
    network.newest.says({ t: 'event', game: 'abcdefgh', v, kind: 'move', by: 'black', state: AFTER_E5 });
  }
  assert.equal(session.view.game?.v, 1);
  assert.deepEqual(sent('sub').map((frame) => frame['v']), [0, 1]);
});

test('a newest state without legal moves makes the page ask for the whole game, once', () => {
  connect();
  network.newest.says(FULL);
  const { legal: _, ...overtaken } = AFTER_E4;
  network.newest.says({ t: 'event', game: 'abcdefgh', v: 2, kind: 'move', by: 'white', state: overtaken });
  network.newest.says({ t: 'events', game: 'abcdefgh', events: [] });
  assert.deepEqual(sent('sub').map((frame) => frame['v']), [0, 0]);
});

test('an invitation that became a game is noticed by the player event', () => {
  connect();
  network.newest.says({ t: 'gone', game: 'abcdefgh', code: 'not_found', message: 'There is no such game.' });
  assert.equal(session.view.missing, true);
  const game = { id: 'abcdefgh', v: 1, info: FULL.info, state: START };
  network.newest.says({ t: 'player', kind: 'gameStart', seq: 1, game });
  assert.equal(sent('sub').length, 2);
  network.newest.says(FULL);
  assert.equal(session.view.missing, false);
});

test('whoever becomes another player gets the game afresh, with the own colour', () => {
  connect();
  network.newest.says({ ...FULL, you: null });
  session.restart();
  connect();
  assert.deepEqual(sent('sub').map((frame) => frame['v']), [0]);
  network.newest.says(FULL);
  assert.equal(session.view.game?.you, 'white');
});

test('a second move waits for the first', () => {
  connect();
  network.newest.says({ ...FULL, state: START });
  session.move('e2e4');
  session.move('d2d4');
  assert.equal(sent('move').length, 1);
});

test('a claim is sent alone or with a move, which is not shown as played; a false one is told', () => {
  connect();
  network.newest.says(FULL);
  session.claim();
  session.claim('e2e4');
  const [alone, intended] = sent('claim');
  assert.equal(alone?.['move'], undefined);
  assert.equal(intended?.['move'], 'e2e4');
  assert.equal(session.view.pending, null);
  const id = String(intended?.['id']);
  network.newest.says({ t: 'nack', id, game: 'abcdefgh', code: 'not_due', message: 'No such draw.' });
  assert.equal(session.view.notice?.text, 'No such draw.');
});

test('another level comes with the event, also when the answer came before it', () => {
  connect();
  network.newest.says(FULL);
  session.setLevel(7);
  const id = String(sent('level')[0]?.['id']);
  network.newest.says({ t: 'ack', id, game: 'abcdefgh', v: 2, state: START });
  const info = { ...FULL.info, black: { id: 'computer', name: 'Computer', guest: false, level: 7 } };
  network.newest.says({ t: 'event', game: 'abcdefgh', v: 2, kind: 'levelChanged', by: 'white', state: START, info });
  assert.equal(session.view.game?.info.black.level, 7);
});

test('whoever finds a computer in the own seat asks for it back, once', () => {
  connect();
  network.newest.says({ ...FULL, state: { ...START, seats: { white: 3, black: null } } });
  network.newest.says({
    t: 'event',
    game: 'abcdefgh',
    v: 2,
    kind: 'move',
    by: 'white',
    byComputer: true,
    state: { ...AFTER_E4, seats: { white: 3, black: null } },
  });
  assert.equal(sent('seat').length, 1);
  assert.equal(session.view.game?.moves[0]?.byComputer, true);
  network.newest.says({ t: 'event', game: 'abcdefgh', v: 3, kind: 'seatReturned', by: 'white', state: AFTER_E4 });
  network.newest.says({
    t: 'event',
    game: 'abcdefgh',
    v: 4,
    kind: 'seatTaken',
    by: 'white',
    state: { ...AFTER_E4, seats: { white: 3, black: null } },
  });
  assert.equal(sent('seat').length, 2);
});

test('a line that was refused is told, and no line is said twice', () => {
  connect();
  network.newest.says(FULL);
  assert.equal(session.say('player', 'hello'), true);
  const id = String(sent('chat')[0]?.['id']);
  mock.timers.tick(10_000);
  assert.equal(sent('chat').length, 1);
  network.newest.says({ t: 'nack', id, game: 'abcdefgh', code: 'limit_reached', message: 'Too many lines.' });
  assert.equal(session.view.notice?.text, 'Too many lines.');
  session.say('player', 'again');
  network.newest.says({ t: 'ack', id: String(sent('chat')[1]?.['id']), game: 'abcdefgh' });
  assert.equal(session.view.game?.v, 1);
});

test('in a pause no move is sent', () => {
  connect();
  const paused = { flagged: 'white', since: 0, goingOnOffered: false, winner: 'black' } as const;
  network.newest.says({ ...FULL, state: { ...START, paused } });
  session.move('e2e4');
  assert.equal(sent('move').length, 0);
});
