import { describe, expect, it } from '@jest/globals';
import { archivedFiles, foldHash, readArchived } from '../../../test/support/event-archive.js';
import { FOLD_VERSION } from '../account/state.js';

/**
 * The archived accounts of the time when a `FOLD_VERSION` began, and the hash of the states that they fold to. Existing
 * entries are never edited. Files that are archived later contain their hash.
 */
const OUTCOMES: Readonly<Record<number, { readonly files: readonly string[]; readonly hash: string }>> = {
  1: {
    files: ['2026-11-first-versions.dbf6093c62e3.json'],
    hash: 'af0a78904b385252b3fab423f7508bdbe55d4e626ffd6f7ee22ffa2c6e2f6d7e',
  },
  2: {
    files: ['2026-11-first-versions.dbf6093c62e3.json', '2026-11-own-generations.0afa14328ad4.json'],
    hash: '22a8f0610e1a24dc7afd009ae91de60a5897234930153345f5c7ef03c7fed459',
  },
  3: {
    files: [
      '2026-11-clock-repair.a89c963dd9b7.json',
      '2026-11-first-versions.dbf6093c62e3.json',
      '2026-11-own-generations.0afa14328ad4.json',
      '2026-11-waiver.e9793b174dd3.json',
    ],
    hash: 'c317e53b536a15a90c12dbeffe1a109e1642ef2a547a62a749e29ecbf9c169bf',
  },
};

describe('FOLD_VERSION', () => {
  it('changes when the same events fold to another state', () => {
    // Fails after a change of `evolve` or of the state: increase FOLD_VERSION, and add the hash of all files.
    const { files = [], hash } = OUTCOMES[FOLD_VERSION] ?? {};
    expect(foldHash(files.map(readArchived))).toBe(hash);
    for (const archived of archivedFiles()
      .filter((file) => !files.includes(file))
      .map(readArchived)) {
      expect(foldHash([archived])).toBe(archived.foldHash);
    }
  });
});
