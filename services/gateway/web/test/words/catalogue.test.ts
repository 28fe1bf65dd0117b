// Each fault of a catalogue is found: words.mjs runs over small folders that have it on purpose.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

type Catalogue = Record<string, Record<string, string>>;

const WORDS = resolve('words.mjs');
const ENGLISH: Catalogue = {
  game: {
    away: '{times, plural, one {once} other {# times}}',
    link: 'See <link>{name}</link>.',
    won: '{side, select, white {White} black {Black} other {}} won.',
  },
};
const CODE = "say('game.away'); sayRich('game.link'); say(`game.w${what}n`);";

/** What is found in a page with these catalogues, whose code is `code`. */
function found(catalogues: Record<string, Catalogue>, code = CODE): string[] {
  const root = mkdtempSync(join(tmpdir(), 'flagfall-words-'));
  try {
    mkdirSync(join(root, 'src', 'words'), { recursive: true });
    for (const [language, catalogue] of Object.entries(catalogues)) {
      writeFileSync(join(root, 'src', 'words', `${language}.json`), JSON.stringify(catalogue));
    }
    writeFileSync(join(root, 'src', 'page.tsx'), code);
    const run = (...words: string[]) => spawnSync(process.execPath, [WORDS, ...words], { cwd: root, encoding: 'utf8' });
    const written = run();
    return [...written.stderr.split('\n').filter((line) => line.startsWith('Error')), ...lines(run('check').stderr)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const lines = (text: string): string[] => text.split('\n').filter((line) => /^\w+: /.test(line) && !line.startsWith('Error'));

/** English with other messages of the area `game`. */
const having = (messages: Record<string, string>): Catalogue => ({ game: { ...ENGLISH['game'], ...messages } });

test('a catalogue whose keys are all used has no fault, and neither has its translation', () => {
  const german: Catalogue = {
    game: {
      away: '{times, plural, one {einmal} other {# Mal}}',
      link: 'Siehe <link>{name}</link>.',
      won: '{side, select, white {Weiß} black {Schwarz} other {}} gewann.',
    },
  };
  assert.deepEqual(found({ en: ENGLISH, de: german }), []);
});

test('a key that nothing uses is found', () => {
  assert.deepEqual(found({ en: having({ zeal: 'Zeal' }) }), ['en: nothing uses game.zeal']);
});

test('keys and arguments that a language lacks, or has too much, are found', () => {
  const { away, ...others } = ENGLISH['game']!;
  assert.deepEqual(found({ en: ENGLISH, de: { game: others } }), ['de: game.away is missing']);
  assert.deepEqual(found({ en: ENGLISH, de: having({ zeal: 'Eifer' }) }), ['de: game.zeal is not in en']);
  assert.deepEqual(found({ en: ENGLISH, de: having({ link: 'Siehe <link>dort</link>.' }) }), [
    'de: game.link does not use the argument name',
  ]);
  assert.deepEqual(found({ en: ENGLISH, de: having({ won: '{side} gewann, {name}.' }) }), [
    'de: game.won has the unknown argument name',
  ]);
  assert.deepEqual(found({ en: ENGLISH, de: having({ away: '{times, select, one {einmal} other {}}' }) }), [
    'de: game.away uses the argument times otherwise than en',
  ]);
});

test('a plural form that a language has and a message lacks is found', () => {
  const russian = having({ away: '{times, plural, one {# раз} few {# раза} other {# раза}}' });
  assert.deepEqual(found({ en: ENGLISH, ru: russian }), ['ru: game.away lacks the plural form many']);
});

test('names out of order are found', () => {
  const { won, ...others } = ENGLISH['game']!;
  assert.deepEqual(found({ en: { game: { won: won!, ...others } } }), ['en: game not sorted']);
});

test('a message that cannot be read is named', () => {
  assert.match(found({ en: having({ won: '{side' }) }).join(), /game\.won: EXPECT_ARGUMENT_CLOSING_BRACE/);
});
