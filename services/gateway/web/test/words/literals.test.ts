// literals.mjs finds texts that stand in the code, and takes no name of the program for one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const LITERALS = resolve('literals.mjs');

/** The texts that are found in a file, in order. */
function found(code: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'flagfall-literals-'));
  try {
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src', 'part.tsx'), code);
    const { stderr } = spawnSync(process.execPath, [LITERALS], { cwd: root, encoding: 'utf8' });
    return [...stderr.matchAll(/part\.tsx:\d+: (.*) \(a text/g)].map(([, text]) => text!);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('texts are found wherever they stand', () => {
  const rows: [string, string][] = [
    ['<p>won</p>', 'won'],
    ["<p>{done ? 'won' : ''}</p>", 'won'],
    ["<p>{done && 'won'}</p>", 'won'],
    ['<p>{`${n} won`}</p>', '… won'],
    ['<p aria-label="won" />', 'won'],
    ["<p title={done ? 'won' : ''} />", 'won'],
    ['<Picker label={`won ${n}`} />', 'won …'],
    ["tell('Not this time');", 'Not this time'],
    ["const name = 'Regular';", 'Regular'],
    ["const texts = { generic: 'not now' };", 'not now'],
  ];
  for (const [code, text] of rows) assert.deepEqual(found(code), [text], code);
});

test('names of the program are none', () => {
  const rows = [
    "<p class=\"card tall\">{say('game.won')} · {n}</p>",
    "<p class={`clock ${low ? 'low' : ''}`} aria-label={say(own ? 'game.won' : 'game.lost')} />",
    "if (event.key === 'Escape') call('POST', '/api/import');",
    "throw new Error('The page has no such source.');",
    "type Side = 'White' | 'Black';",
    "import { call } from '../net/My file.ts';",
    "const start = '8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1';",
  ];
  for (const code of rows) assert.deepEqual(found(code), [], code);
});
