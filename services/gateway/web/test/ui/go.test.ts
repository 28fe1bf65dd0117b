import assert from 'node:assert/strict';
import { test } from 'node:test';

test('a path is gone to once, and again after coming back', async () => {
  const gone: string[] = [];
  let back = (): void => undefined;
  const listen = (_kind: string, heard: () => void): void => {
    back = heard;
  };
  Object.assign(globalThis, {
    window: { addEventListener: listen },
    location: { assign: (path: string) => gone.push(path) },
  });
  const { goTo } = await import('../../src/ui/go.ts');
  goTo('/abc');
  goTo('/abc');
  goTo('/def');
  assert.deepEqual(gone, ['/abc', '/def']);
  back();
  goTo('/def');
  assert.deepEqual(gone, ['/abc', '/def', '/def']);
});
