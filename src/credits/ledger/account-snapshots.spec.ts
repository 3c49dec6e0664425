import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import { occurredAt } from './account-store.js';
import { emptyAccount, evolve, FOLD_VERSION } from '../account/state.js';
import { readCreditEvent } from '../account/events.js';

/** Hash of the states that the event archive folds to, by `FOLD_VERSION`. Existing entries are never edited. */
const OUTCOMES: Readonly<Record<number, string>> = {
  1: 'af0a78904b385252b3fab423f7508bdbe55d4e626ffd6f7ee22ffa2c6e2f6d7e',
};

const archive = new URL('../account/event-archive/', import.meta.url);

describe('FOLD_VERSION', () => {
  it('changes when the same events fold to another state', () => {
    const outcome = createHash('sha256');
    for (const file of readdirSync(archive).sort()) {
      const { events } = JSON.parse(readFileSync(new URL(file, archive), 'utf8')) as { events: StoredEvent[] };
      const state = emptyAccount();
      for (const stored of events) {
        evolve(state, readCreditEvent(stored), occurredAt(stored));
        outcome.update(JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value)));
      }
    }
    // Fails after a change of `evolve` or of the state: increase FOLD_VERSION and add the new hash.
    // Also fails when the archive has grown: replace the hash of the current version then.
    expect(outcome.digest('hex')).toBe(OUTCOMES[FOLD_VERSION]);
  });
});
