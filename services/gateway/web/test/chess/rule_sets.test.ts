import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CHATURANGA,
  choiceOf,
  FIRST_RULES,
  PRESET_KEYS,
  PRESETS,
  ruleSetField,
  rulesOf,
  withRule,
} from '../../src/chess/rule_sets.ts';
import { startFen } from '../../src/chess/variants.ts';
import { chaturangaLines, ruleSetLines, ruleSetName } from '../../src/words/rule_words.ts';

test('a preset is asked for by name, a changed one by what is changed', () => {
  assert.equal(ruleSetField(FIRST_RULES, 'standard'), 'fide');
  const changed = withRule(FIRST_RULES, 'agreement', 'anyTime');
  assert.deepEqual(ruleSetField(changed, 'standard'), { preset: 'fide', agreement: 'anyTime' });
  assert.equal(ruleSetField(withRule(changed, 'agreement', 'afterBothMoved'), 'standard'), 'fide');
});

test('options of Chaturanga go along only in Chaturanga', () => {
  const choice = { ...FIRST_RULES, chaturanga: { ...CHATURANGA, stalemate: 'wins', kingLeap: true } as const };
  assert.equal(ruleSetField(choice, 'shatranj'), 'fide');
  assert.deepEqual(ruleSetField(choice, 'chaturanga'), {
    preset: 'fide',
    chaturanga: { stalemate: 'wins', kingLeap: true },
  });
});

test('rules that came over the wire are told as a preset, or as the nearest one and what differs', () => {
  for (const preset of PRESET_KEYS) assert.deepEqual(choiceOf(rulesOf(preset)), { preset, changed: {}, chaturanga: CHATURANGA });
  const custom = { ...PRESETS.friendly, takeback: 'byConsent', chaturanga: CHATURANGA } as const;
  assert.deepEqual(choiceOf(rulesOf('custom', custom)).changed, { takeback: 'byConsent' });
  assert.equal(ruleSetName(custom), 'Friendly, changed');
  assert.equal(ruleSetLines(custom)[1], 'Taking a move back: If both agree, unrated');
});

test('only unusual options of Chaturanga are told', () => {
  assert.deepEqual(chaturangaLines(CHATURANGA), []);
  assert.deepEqual(chaturangaLines({ ...CHATURANGA, bareKing: 'winsAtOnce' }), [
    'Taking the last piece but the king: Wins at once',
  ]);
});

test('the first arrays are those of the rules', () => {
  const rows: [object, string, string][] = [
    [{}, 'rnbqkbnr', 'RNBQKBNR'],
    [{ elephant: 'cornerRookwiseLeap' }, 'bnrqkrnb', 'BNRQKRNB'],
    [{ kings: 'facingOnD' }, 'rnbkqbnr', 'RNBKQBNR'],
    [{ kings: 'facingOnD', elephant: 'cornerRookwiseLeap' }, 'bnrkqrnb', 'BNRKQRNB'],
    [{ kings: 'crossed' }, 'rnbkqbnr', 'RNBQKBNR'],
    [{ kings: 'crossed', elephant: 'cornerRookwiseLeap' }, 'bnrkqrnb', 'BNRQKRNB'],
  ];
  const fen = (black: string, white: string): string => `${black}/pppppppp/8/8/8/8/PPPPPPPP/${white} w - - 0 1`;
  for (const [change, black, white] of rows) {
    assert.equal(startFen('chaturanga', { ...CHATURANGA, ...change }), fen(black, white));
  }
  assert.equal(startFen('shatranj', CHATURANGA), fen('rnbkqbnr', 'RNBKQBNR'));
  assert.equal(startFen('threeCheck', CHATURANGA).split(' ')[4], '3+3');
  assert.equal(startFen('racingKings', CHATURANGA), '8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1');
  assert.equal(startFen('antichess', CHATURANGA).split(' ')[2], '-');
});
