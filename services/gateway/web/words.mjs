// The catalogues of texts in src/words: `node words.mjs` writes the types of their messages (src/words/keys.gen.ts),
// `node words.mjs check` finds faults in them. The build compiles them, so that no parser of messages is shipped.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */
/** @typedef {'text' | 'number' | 'time' | 'tag' | { select: string[] }} Kind What an argument of a message may be. */
/** @typedef {{ elements: Element[], args: Map<string, Kind> }} Message */
/** @typedef {Map<string, Message>} Catalogue Messages by their keys (`area.name`). */

const FOLDER = join('src', 'words');
const TYPES = join(FOLDER, 'keys.gen.ts');
/** The language whose keys and arguments all others must have. */
const SOURCE = 'en';

/**
 * The messages of a catalogue file. Throws at a message that ICU cannot read.
 * @param {string} file
 * @returns {Catalogue}
 */
export function readCatalogue(file) {
  /** @type {Record<string, Record<string, string>>} */
  const areas = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {Catalogue} */
  const found = new Map();
  for (const [area, messages] of Object.entries(areas)) {
    for (const [name, message] of Object.entries(messages)) {
      try {
        const elements = parse(message, { captureLocation: false });
        found.set(`${area}.${name}`, { elements, args: argumentsOf(elements) });
      } catch (error) {
        throw new Error(`${file}: ${area}.${name}: ${/** @type {Error} */ (error).message}: ${message}`);
      }
    }
  }
  return found;
}

/**
 * The arguments that a message uses. A select without a text for `other` takes its options and nothing else.
 * @param {readonly Element[]} elements
 * @param {Map<string, Kind>} args
 */
function argumentsOf(elements, args = new Map()) {
  for (const element of elements) {
    switch (element.type) {
      case TYPE.argument:
        if (!args.has(element.value)) args.set(element.value, 'text');
        break;
      case TYPE.number:
        args.set(element.value, 'number');
        break;
      case TYPE.date:
      case TYPE.time:
        args.set(element.value, 'time');
        break;
      case TYPE.plural:
        args.set(element.value, 'number');
        for (const option of Object.values(element.options)) argumentsOf(option.value, args);
        break;
      case TYPE.select: {
        const { other, ...named } = element.options;
        args.set(element.value, other?.value.length ? 'text' : { select: Object.keys(named).sort() });
        for (const option of Object.values(element.options)) argumentsOf(option.value, args);
        break;
      }
      case TYPE.tag:
        args.set(element.value, 'tag');
        argumentsOf(element.children, args);
        break;
    }
  }
  return args;
}

/**
 * What the page gets of a catalogue: a string where a message is nothing else, its elements where it has arguments.
 * @param {Catalogue} catalogue
 * @returns {Record<string, string | Element[]>}
 */
function compiled(catalogue) {
  return Object.fromEntries(
    [...catalogue].map(([key, { elements }]) => {
      const [first, ...more] = elements;
      if (!first) return [key, ''];
      return [key, more.length === 0 && first.type === TYPE.literal ? first.value : elements];
    }),
  );
}

/**
 * For esbuild: catalogues are compiled, and what formats messages comes without the parser.
 * @type {import('esbuild').Plugin}
 */
export const catalogues = {
  name: 'catalogues',
  setup(build) {
    build.onLoad({ filter: /[/\\]words[/\\][\w-]+\.json$/ }, ({ path }) => ({
      contents: JSON.stringify(compiled(readCatalogue(path))),
      loader: 'json',
    }));
    build.onResolve({ filter: /^@formatjs\/icu-messageformat-parser$/ }, ({ kind, resolveDir }) =>
      build.resolve('@formatjs/icu-messageformat-parser/no-parser.js', { kind, resolveDir }),
    );
  },
};

/**
 * A page of HTML with its texts, which stand in it as `%area.name%`.
 * @param {string} html
 * @param {Catalogue} catalogue
 */
export function withTexts(html, catalogue) {
  return html.replace(/%(\w+\.\w+)%/g, (_, key) => {
    const first = catalogue.get(key)?.elements[0];
    if (first?.type !== TYPE.literal) throw new Error(`no plain text ${key}`);
    return first.value.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  });
}

/** @param {Kind} kind */
function typeOf(kind) {
  if (typeof kind === 'object') return kind.select.map((option) => `'${option}'`).join(' | ');
  return { text: 'string | number', number: 'number', time: 'Date | number', tag: 'Tag' }[kind];
}

/**
 * The types of all messages, as TypeScript.
 * @param {Catalogue} catalogue
 */
export function typesText(catalogue) {
  const rows = [...catalogue].map(([key, { args }]) => {
    const fields = [...args].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => `${name}: ${typeOf(kind)}`);
    return `  '${key}': ${fields.length ? `{ ${fields.join('; ')} }` : 'null'};`;
  });
  return `// Made of ${SOURCE}.json by \`npm run words\`; do not edit.
import type { VNode } from 'preact';

export type Part = string | VNode;
/** Makes an element around the parts of a message between \`<tag>\` and \`</tag>\`. */
export type Tag = (parts: readonly Part[]) => VNode;

/** The arguments of each message; null for a message without. */
export interface Messages {
${rows.join('\n')}
}
`;
}

/** @param {string} folder @param {RegExp} names */
const filesOf = (folder, names) =>
  readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));

/**
 * Keys that no file of the page names: as a string, as a template with expressions in it, or as `%key%` in HTML.
 * @param {Catalogue} catalogue
 */
function unused(catalogue) {
  const sources = filesOf('src', /\.(tsx?|html)$/).filter((file) => basename(file) !== basename(TYPES));
  const code = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  const exact = new Set([...code.matchAll(/['"`%](\w+\.\w+)['"`%]/g)].map(([, key]) => key));
  const templates = [...code.matchAll(/`(\w+\.[^`]*)`/g)].map(([, text = '']) => {
    const fixed = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^$()[\]|\\{}]/g, '\\$&'));
    return new RegExp(`^${fixed.join('\\w+')}$`);
  });
  return [...catalogue.keys()].filter((key) => !exact.has(key) && !templates.some((template) => template.test(key)));
}

/**
 * Plural forms that a language has and a message lacks.
 * @param {string} language
 * @param {readonly Element[]} elements
 * @returns {string[]}
 */
function lackingForms(language, elements) {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return lackingForms(language, element.children);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
    const inside = Object.values(element.options).flatMap((option) => lackingForms(language, option.value));
    if (element.type === TYPE.select) return inside;
    const forms = new Intl.PluralRules(language, { type: element.pluralType ?? 'cardinal' }).resolvedOptions();
    return [...forms.pluralCategories.filter((form) => !(form in element.options)), ...inside];
  });
}

/** @param {Kind} wanted @param {Kind} found */
function fits(wanted, found) {
  if (found === 'text') return wanted !== 'tag';
  return JSON.stringify(wanted) === JSON.stringify(found);
}

/**
 * What a language lacks, has too much or uses otherwise than the source.
 * @param {Catalogue} source
 * @param {Catalogue} other
 */
function differences(source, other) {
  const faults = [];
  for (const [key, { args }] of source) {
    const found = other.get(key)?.args;
    if (!found) {
      faults.push(`${key} is missing`);
      continue;
    }
    for (const name of new Set([...args.keys(), ...found.keys()])) {
      const [wanted, has] = [args.get(name), found.get(name)];
      if (!wanted) faults.push(`${key} has the unknown argument ${name}`);
      else if (!has) faults.push(`${key} does not use the argument ${name}`);
      else if (!fits(wanted, has)) faults.push(`${key} uses the argument ${name} otherwise than ${SOURCE}`);
    }
  }
  return [...faults, ...[...other.keys()].filter((key) => !source.has(key)).map((key) => `${key} is not in ${SOURCE}`)];
}

/** @param {string} file */
function unsorted(file) {
  /** @type {Record<string, object>} */
  const areas = JSON.parse(readFileSync(file, 'utf8'));
  const lists = [['areas', Object.keys(areas)], ...Object.entries(areas).map(([area, part]) => [area, Object.keys(part)])];
  return lists.filter(([, names]) => String(names) !== String([...(names ?? [])].sort())).map(([of]) => `${of} not sorted`);
}

/** All faults of the catalogues under the working directory, a line each. */
export function faults() {
  const files = filesOf(FOLDER, /^[\w-]+\.json$/).sort();
  const found = new Map(files.map((file) => [basename(file, '.json'), readCatalogue(file)]));
  const source = found.get(SOURCE);
  if (!source) return [`${FOLDER} has no ${SOURCE}.json`];
  const lines = unused(source).map((key) => `${SOURCE}: nothing uses ${key}`);
  for (const [language, catalogue] of found) {
    lines.push(...unsorted(join(FOLDER, `${language}.json`)).map((fault) => `${language}: ${fault}`));
    if (language !== SOURCE) lines.push(...differences(source, catalogue).map((fault) => `${language}: ${fault}`));
    for (const [key, { elements }] of catalogue) {
      lines.push(...lackingForms(language, elements).map((form) => `${language}: ${key} lacks the plural form ${form}`));
    }
  }
  if (readFileSync(TYPES, 'utf8') !== typesText(source)) lines.push(`${TYPES} is not current: npm run words`);
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'check') {
    const lines = faults();
    for (const line of lines) console.error(line);
    process.exitCode = lines.length ? 1 : 0;
  } else {
    writeFileSync(TYPES, typesText(readCatalogue(join(FOLDER, `${SOURCE}.json`))));
  }
}
