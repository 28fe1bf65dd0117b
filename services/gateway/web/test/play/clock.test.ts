import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerTime } from '../../src/net/server_time.ts';
import { clockText, remaining, spanText, spokenText } from '../../src/play/clock.ts';
import { AFTER_E4, START } from '../states.ts';

test('only the running clock runs, and none goes below zero', () => {
  assert.equal(remaining(START, 'white', 50_000), 60_000);
  assert.equal(remaining(AFTER_E4, 'black', 5_000), 57_000);
  assert.equal(remaining(AFTER_E4, 'white', 5_000), 60_000);
  assert.equal(remaining(AFTER_E4, 'black', 1_000_000), 0);
});

test('a clock never shows more than the server said, even when the estimate of its time is behind', () => {
  assert.equal(remaining(AFTER_E4, 'black', 0), 60_000);
});

test('clocks are written with tenths only below 20 seconds', () => {
  const rows: [number, string][] = [
    [0, '0:00.0'],
    [99, '0:00.0'],
    [9_450, '0:09.4'],
    [19_999, '0:19.9'],
    [20_000, '0:20'],
    [725_000, '12:05'],
    [3_723_000, '1:02:03'],
    [10_800_000, '3:00:00'],
  ];
  for (const [ms, text] of rows) assert.equal(clockText(ms), text);
});

test('long spans are written in two units', () => {
  const rows: [number, string][] = [
    [3 * 86_400_000, '3 days'],
    [86_400_000 + 4 * 3_600_000, '1 day 4 h'],
    [3 * 3_600_000 + 20 * 60_000, '3 h 20 min'],
    [125_000, '2:05'],
  ];
  for (const [ms, text] of rows) assert.equal(spanText(ms), text);
});

test('a clock can be said aloud', () => {
  assert.equal(spokenText(125_000), '2 minutes 5 seconds');
  assert.equal(spokenText(900), '0 seconds');
});

test('the quickest answer tells the server’s time best', () => {
  const time = new ServerTime();
  time.learn(0, 100, 5_050);
  assert.equal(time.at(100), 5_100);
  time.learn(1_000, 3_000, 9_999);
  assert.equal(time.at(100), 5_100);
  time.learn(4_000, 4_010, 9_015);
  assert.equal(time.at(4_010), 9_020);
});
