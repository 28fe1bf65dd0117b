// Builds the page into ../static: index.html, and its script and style named by what is in them.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { catalogues, readCatalogue, withTexts } from './words.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../static/', import.meta.url));

const result = await build({
  absWorkingDir: here,
  entryPoints: ['src/page.tsx'],
  outdir: out,
  bundle: true,
  minify: true,
  write: false,
  target: ['es2022'],
  legalComments: 'eof',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'dataurl' },
  plugins: [catalogues],
  logLevel: 'warning',
});

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
/** @type {Record<string, string>} */
const names = {};
for (const file of result.outputFiles) {
  const hash = createHash('sha256').update(file.contents).digest('hex').slice(0, 10);
  const ending = file.path.endsWith('.css') ? 'css' : 'js';
  names[ending] = `page-${hash}.${ending}`;
  await writeFile(out + names[ending], file.contents);
}
await writeFile(`${out}mark.svg`, await readFile(`${here}src/mark.svg`));
const page = withTexts(await readFile(`${here}src/index.html`, 'utf8'), readCatalogue(`${here}src/words/en.json`));
await writeFile(`${out}index.html`, page.replace('page.js', `${names['js']}`).replace('page.css', `${names['css']}`));
