// Bundles the tests under test/ and runs them with node's own test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { catalogues } from './words.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'flagfall-page-'));
try {
  const names = readdirSync(join(here, 'test'), { encoding: 'utf8', recursive: true });
  const tests = names.filter((name) => name.endsWith('.test.ts'));
  await build({
    absWorkingDir: here,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: out,
    outbase: 'test',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    plugins: [catalogues],
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const files = tests.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
