import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceNumber } from '../../src/rules/page_data.ts';

test('a source is told by its number in the list', () => {
  const source = { title: '', author: '', edition: '', jurisdiction: null, link: null, language: 'en', settles: '' };
  const page = { sources: [{ ...source, id: 'murray' }, { ...source, id: 'fide' }] };
  assert.equal(sourceNumber(page, 'murray'), 1);
  assert.equal(sourceNumber(page, 'fide'), 2);
  assert.throws(() => sourceNumber(page, 'gollon'), /gollon/);
});
