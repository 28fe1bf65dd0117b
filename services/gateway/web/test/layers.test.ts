// Each rule of layers.mjs finds its breach: dependency-cruiser runs over small trees that break them on purpose.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const CRUISE = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const RULES = resolve('layers.mjs');

/** What is found in a tree of `file: what it imports types from`, as `rule: from -> to`, in order. */
function found(tree: Readonly<Record<string, readonly string[]>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'flagfall-layers-'));
  try {
    for (const [file, imports] of Object.entries(tree)) {
      const name = file.replace(/\W/g, '_');
      const lines = imports.map((from, at) => `import type * as part${at} from '${from}';`);
      mkdirSync(dirname(join(root, file)), { recursive: true });
      const used = imports.map((_, at) => `keyof typeof part${at}`).join(' | ') || 'never';
      writeFileSync(join(root, file), [...lines, `export type ${name} = ${used};`, ''].join('\n'));
    }
    const words = [CRUISE, '--config', RULES, '--output-type', 'json', 'src'];
    const run = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    assert.notEqual(run.stdout, '', run.stderr);
    const { summary } = JSON.parse(run.stdout) as {
      summary: { violations: { rule: { name: string }; from: string; to: string }[] };
    };
    return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** One arrow against the order for each folder; people, lobby and watch do not know each other. */
const AGAINST = [
  ['chess', 'net'],
  ['net', 'words'],
  ['words', 'ui'],
  ['ui', 'rules'],
  ['rules', 'invite'],
  ['invite', 'party'],
  ['party', 'play'],
  ['play', 'lobby'],
  ['lobby', 'people'],
  ['people', 'watch'],
  ['watch', 'lobby'],
] as const;

test('an import against the order of the folders is found, also one of a type', () => {
  const tree: Record<string, readonly string[]> = {};
  for (const [from, to] of AGAINST) {
    tree[`src/${from}/value.ts`] = [];
    tree[`src/${from}/breach.ts`] = [`../${to}/value.ts`];
  }
  const wanted = AGAINST.map(([from, to]) => `layer-${from}: src/${from}/breach.ts -> src/${to}/value.ts`);
  assert.deepEqual(found(tree), wanted.sort());
});

test('an import along the order is none', () => {
  const tree: Record<string, readonly string[]> = { 'src/page.ts': ['./lobby/breach.ts'] };
  for (const [to, from] of AGAINST.slice(0, 8)) {
    tree[`src/${to}/value.ts`] = [];
    tree[`src/${from}/breach.ts`] = [`../${to}/value.ts`];
  }
  assert.deepEqual(found(tree), []);
});

test('a circle of two files of one folder is found, though only types go round', () => {
  const tree = { 'src/play/one.ts': ['./two.ts'], 'src/play/two.ts': ['./one.ts'] };
  // A circle is reported once, at one of its files.
  assert.match(found(tree).join(), /^no-circle: src\/play\/(one|two)\.ts -> src\/play\/(one|two)\.ts$/);
});

test('a folder without a place in the order, an import that leads nowhere and one of a test are found', () => {
  const tree = {
    'src/page.ts': ['./views/old.ts', './lost.ts', '../test/states.ts'],
    'src/views/old.ts': [],
    'test/states.ts': [],
  };
  assert.deepEqual(found(tree), [
    'known-folder: src/page.ts -> src/views/old.ts',
    'no-lost-import: src/page.ts -> ./lost.ts',
    'no-test-in-page: src/page.ts -> test/states.ts',
  ]);
});
