import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import type { StoredEvent } from '../../platform/event-store/event-store.js';
import { balancesAt, emptyAccount, evolve, type Balances } from './state.js';
import { readCreditEvent, SCHEMA_VERSIONS } from './events.js';

/**
 * Stored accounts with the balances that the program of their time computed. A new or changed type of event needs a new
 * file with stored examples. Existing files are never edited.
 */
const CHECKSUMS: Readonly<Record<string, string>> = {
  '2026-11-first-versions.json': 'dbf6093c62e398a71ae922796175405776854bc7e92085c0d34d85eb30aa4c7f',
};

interface ArchivedAccount {
  readonly balances: Balances;
  readonly debt: number;
  readonly events: readonly StoredEvent[];
}

const folder = new URL('./event-archive/', import.meta.url);
const read = (file: string): Buffer => readFileSync(fileURLToPath(new URL(file, folder)));
const accounts = Object.keys(CHECKSUMS).map((file): [string, ArchivedAccount] => [
  file,
  JSON.parse(read(file).toString('utf8')) as ArchivedAccount,
]);

describe('event archive', () => {
  it('contains every archived file unchanged', () => {
    const found = readdirSync(fileURLToPath(folder)).map((file) => [
      file,
      createHash('sha256').update(read(file)).digest('hex'),
    ]);
    expect(Object.fromEntries(found)).toEqual(CHECKSUMS);
  });

  it('contains an example of every version of every event', () => {
    const archived = accounts.flatMap(([, { events }]) =>
      events.map(({ type, data }) => `${type} ${JSON.stringify(data.schemaVersion)}`),
    );
    const written = Object.entries(SCHEMA_VERSIONS).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(archived)].sort()).toEqual(written.sort());
  });

  it.each(accounts)('keeps the hash chain and the balances of %s', (_, { events, balances, debt }) => {
    expect(verifyChain(events)).toBeNull();
    const state = emptyAccount();
    for (const stored of events) {
      evolve(state, readCreditEvent(stored), new Date(stored.metadata.occurredAt as string));
    }
    expect(balancesAt(state, state.lastEventAt)).toEqual(balances);
    expect([...state.purchases.values()].reduce((sum, purchase) => sum + purchase.debt, 0)).toBe(debt);
  });
});
