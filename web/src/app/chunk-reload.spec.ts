import { describe, expect, it } from '@jest/globals';
import type { SmallStore } from '../lib/storage.js';
import { isChunkFailure, mayReload } from './chunk-reload.js';

function memory(): SmallStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

describe('chunk reload', () => {
  it.each([
    'Failed to fetch dynamically imported module: http://localhost:3000/assets/x.js',
    'error loading dynamically imported module: http://localhost:3000/assets/x.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/x.css',
  ])('recognises the error %j', (message) => {
    expect(isChunkFailure(new Error(message))).toBe(true);
  });

  it('does not react to other errors', () => {
    expect(isChunkFailure(new TypeError('x is undefined'))).toBe(false);
    expect(isChunkFailure('text')).toBe(false);
  });

  it('reloads the page at most once a minute', () => {
    const store = memory();
    expect(mayReload(store, 1_000_000)).toBe(true);
    expect(mayReload(store, 1_030_000)).toBe(false);
    expect(mayReload(store, 1_061_000)).toBe(true);
  });

  it('does not reload without storage', () => {
    expect(mayReload({ get: () => null, set: () => undefined, remove: () => undefined }, 1_000_000)).toBe(false);
  });
});
