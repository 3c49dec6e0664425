import type { SmallStore } from '../src/lib/storage.js';

/** A store of a browser in memory, with what it holds. */
export function memoryStore(): SmallStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}
