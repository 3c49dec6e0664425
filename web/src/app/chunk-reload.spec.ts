import { describe, expect, it } from '@jest/globals';
import { memoryStore } from '../../test/memory-store.js';
import { isChunkFailure, mayReload } from './chunk-reload.js';

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
    const store = memoryStore();
    expect(mayReload(store, 1_000_000)).toBe(true);
    expect(mayReload(store, 1_030_000)).toBe(false);
    expect(mayReload(store, 1_061_000)).toBe(true);
  });

  it('does not reload without storage', () => {
    expect(mayReload({ get: () => null, set: () => undefined, remove: () => undefined }, 1_000_000)).toBe(false);
  });
});
