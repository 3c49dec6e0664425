import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import { occurredAt } from './account-store.js';
import { emptyAccount, evolve, FOLD_VERSION } from '../account/state.js';
import { readCreditEvent } from '../account/events.js';

/** What the archive of events comes to, by the version of the fold. One that is here is never edited. */
const OUTCOMES: Readonly<Record<number, string>> = {
  1: 'af0a78904b385252b3fab423f7508bdbe55d4e626ffd6f7ee22ffa2c6e2f6d7e',
};

const archive = new URL('../account/event-archive/', import.meta.url);

describe('the version of the fold', () => {
  it('is another as soon as the same events come to another state', () => {
    const outcome = createHash('sha256');
    for (const file of readdirSync(archive).sort()) {
      const { events } = JSON.parse(readFileSync(new URL(file, archive), 'utf8')) as { events: StoredEvent[] };
      const state = emptyAccount();
      for (const stored of events) {
        evolve(state, readCreditEvent(stored), occurredAt(stored));
        outcome.update(JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value)));
      }
    }
    // Fails after a change of `evolve` or of the state: raise FOLD_VERSION and add the new outcome.
    // It fails as well when the archive has grown: then the outcome alone is to be replaced.
    expect(outcome.digest('hex')).toBe(OUTCOMES[FOLD_VERSION]);
  });
});
