// Finds texts for people that stand in the code instead of a catalogue: `node literals.mjs` names each with its line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What is no text for people, and looks like one: the game's notation, and selectors of elements. */
const ALLOWED = new Set([
  '[White "Réti"]\n[Black "Tartakower"]\n\n1. e4 c6 2. d4 d5 …',
  'e7e5 Nf3 Nc6 Bb5, c7c5 Nf3',
  'input, select, textarea, dialog',
  '(prefers-reduced-motion: reduce)',
]);

/** Attributes that people read or hear; a word in one of them is a text, however short. */
const READ = new Set([
  'alt',
  'aria-label',
  'aria-valuetext',
  'label',
  'legend',
  'placeholder',
  'shown',
  'title',
  'why',
]);

const REQUEST = /^(GET|POST|PUT|DELETE) \/\S+$/;
const FEN = /^[A-Za-z1-8]+(\/[A-Za-z1-8]+){7} [wb] /;
const WORD = /\p{L}{2}/u;
/** Two words, or one that begins as a sentence does. */
const SENTENCE = /\p{L}{2}.*\s.*\p{L}{2}|^\p{Lu}\p{Ll}/su;

/** The name of the attribute that a node stands in; null outside of attributes. @param {ts.Node} node */
function attributeOf(node) {
  for (let at = node; at; at = at.parent) {
    if (ts.isJsxAttribute(at)) return at.name.getText();
    if (ts.isJsxElement(at) || ts.isFunctionLike(at)) return null;
  }
  return null;
}

/** Whether a literal is a name for the program: a type, a path, a key, something compared or thrown. @param {ts.Node} node */
function isName(node) {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
  return ts.isNewExpression(parent) && /Error$/.test(parent.expression.getText());
}

/** Whether an expression is what an element shows: `{x}`, `{a && x}`, `{a ? x : y}`. @param {ts.Node} node */
function isShown(node) {
  let at = node.parent;
  while (ts.isConditionalExpression(at) || ts.isBinaryExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent;
  return ts.isJsxExpression(at) && !ts.isJsxAttribute(at.parent);
}

/** The fixed text of a literal; null of other nodes. @param {ts.Node} node */
function literalText(node) {
  if (ts.isJsxText(node)) return node.text.trim();
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('…');
}

/** Whether a literal is a text for people. @param {ts.Node} node @param {string} text */
function isText(node, text) {
  if (ts.isJsxText(node)) return WORD.test(text);
  if (isName(node) || ALLOWED.has(text) || FEN.test(text) || REQUEST.test(text)) return false;
  const attribute = attributeOf(node);
  const isKey = ts.isCallExpression(node.parent);
  if (attribute !== null) return READ.has(attribute) && !isKey && !/^\w+\.\w+$/.test(text) && WORD.test(text);
  if (isShown(node)) return WORD.test(text);
  return SENTENCE.test(text);
}

/** Texts for people in a file, as `file:line: text`. @param {string} file */
export function textsIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const text = literalText(node);
    if (text !== null && isText(node, text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: ${text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = readdirSync('src', { encoding: 'utf8', recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(gen|d)\.ts$/.test(name))
  .map((name) => join('src', name));
const texts = files.flatMap(textsIn);
for (const text of texts) console.error(`${text} (a text belongs into src/words/en.json)`);
process.exitCode = texts.length ? 1 : 0;
