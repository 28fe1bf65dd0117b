import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFrame, ALONE, LINES_MAX, withLines } from '../../src/play/company.ts';

const line = (at: number, text = `line ${at}`) => ({ by: { id: 'ann', name: 'Ann' }, text, at });

test('who has left may be claimed from after what the server says is left to wait', () => {
  const gone = afterFrame(
    ALONE,
    { t: 'presence', game: 'g', side: 'black', gone: true, away: 5_000, claimIn: 55_000 },
    100_000,
  );
  assert.deepEqual(gone.gone, { side: 'black', since: 95_000, claimAt: 155_000 });
  const unclaimable = afterFrame(ALONE, { t: 'presence', game: 'g', side: 'black', gone: true, away: 0 }, 100_000);
  assert.equal(unclaimable.gone?.claimAt, null);
  assert.equal(afterFrame(gone, { t: 'presence', game: 'g', side: 'black', gone: false }, 101_000).gone, null);
});

test('at the end it is told how each was away, and nobody is away any more', () => {
  const away = { white: { times: 0, ms: 0 }, black: { times: 2, ms: 40_000 } };
  const gone = afterFrame(ALONE, { t: 'presence', game: 'g', side: 'black', gone: true, away: 0 }, 0);
  const over = afterFrame(gone, { t: 'absences', game: 'g', ...away }, 1);
  assert.deepEqual(over.absences, away);
  assert.equal(over.gone, null);
});

test('a hint is kept with the position that it is for', () => {
  const hinted = afterFrame(ALONE, { t: 'hint', game: 'g', ply: 4, uci: 'e2e4', san: 'e4' }, 0);
  assert.deepEqual(hinted.hint, { ply: 4, uci: 'e2e4', san: 'e4' });
});

test('lines of a room stand once, in order of time, however they came', () => {
  const heard = afterFrame(ALONE, { t: 'chat', game: 'g', room: 'player', ...line(30) }, 0);
  const all = withLines(heard, 'player', [line(10), line(30), line(20)]);
  assert.deepEqual(all.chat.player.map(({ at }) => at), [10, 20, 30]);
  assert.deepEqual(all.chat.spectator, []);
  const same = withLines(all, 'player', [line(30, 'another at the same time')]);
  assert.equal(same.chat.player.length, 4);
});

test('no more lines are kept than a room has', () => {
  const many = withLines(ALONE, 'spectator', Array.from({ length: LINES_MAX + 5 }, (_, at) => line(at)));
  assert.equal(many.chat.spectator.length, LINES_MAX);
  assert.equal(many.chat.spectator[0]?.at, 5);
});
