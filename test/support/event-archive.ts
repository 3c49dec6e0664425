import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { accountStream, readCreditEvent } from '../../src/credits/account/events.js';
import { balancesAt, emptyAccount, evolve, type AccountState, type Balances } from '../../src/credits/account/state.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { chainEvent, type HashedEvent } from '../../src/platform/event-store/hash-chain.js';
import { writtenEvents } from './written-events.js';

/** A stored account with the results that the program of its time computed. */
export interface ArchivedAccount {
  readonly balances: Balances;
  readonly debt: number;
  /** {@link foldHash} of its events; the oldest file has none. */
  readonly foldHash?: string;
  readonly events: readonly StoredEvent[];
}

const FOLDER = new URL('../../src/credits/account/event-archive/', import.meta.url);
const POLICY_FOLDER = new URL('../../src/credits/policy/event-archive/', import.meta.url);
const USER = 'user_2pZkQ1archive';

/** Names of the archived files. Each ends with the start of the file's checksum, because files are never edited. */
export const archivedFiles = (): readonly string[] => readdirSync(FOLDER).sort();

export function readArchived(file: string): ArchivedAccount {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as ArchivedAccount;
}

/** Like {@link archivedFiles}, for the stream `policy`. */
export const archivedPolicies = (): readonly string[] => readdirSync(POLICY_FOLDER).sort();

/** Stored events of the stream `policy`. */
export function readArchivedPolicy(file: string): { readonly events: readonly StoredEvent[] } {
  return JSON.parse(readFileSync(new URL(file, POLICY_FOLDER), 'utf8')) as { events: StoredEvent[] };
}

/** The name that the content of a file of a policy demands. */
export function policyNameByContent(file: string): string {
  return nameOf(file.split('.')[0] ?? '', readFileSync(new URL(file, POLICY_FOLDER)));
}

/** The name that the content of a file demands. */
export function nameByContent(file: string): string {
  return nameOf(file.split('.')[0] ?? '', readFileSync(new URL(file, FOLDER)));
}

const nameOf = (title: string, content: string | Buffer): string =>
  `${title}.${createHash('sha256').update(content).digest('hex').slice(0, 12)}.json`;

/** Folds stored events. `onState` sees the state after each of them. */
function fold(events: readonly StoredEvent[], onState: (state: AccountState) => void = () => {}): AccountState {
  const state = emptyAccount();
  for (const stored of events) {
    evolve(state, readCreditEvent(stored), new Date(stored.metadata['occurredAt'] as string));
    onState(state);
  }
  return state;
}

/** Hash of the states after each event of some accounts. */
export function foldHash(accounts: readonly Pick<ArchivedAccount, 'events'>[]): string {
  const hash = createHash('sha256');
  const update = (state: AccountState): void => {
    hash.update(JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value)));
  };
  for (const { events } of accounts) fold(events, update);
  return hash.digest('hex');
}

/** Balances and debt after the events. */
export function resultsOf(events: readonly StoredEvent[]): Pick<ArchivedAccount, 'balances' | 'debt'> {
  const state = fold(events);
  const debt = [...state.purchases.values()].reduce((sum, purchase) => sum + purchase.debt, 0);
  return { balances: balancesAt(state, state.lastEventAt), debt };
}

/** Stores an account as the current rules write it. @param title such as `2027-01-refund-fees` */
export function archiveWrittenEvents(title: string): void {
  const stream = accountStream(USER);
  let previous: string | null = null;
  const events = writtenEvents().map(({ event: { type, data }, at }, version) => {
    const id = v7({ msecs: at.getTime() });
    const ids = { eventId: id, correlationId: id, causationId: id };
    const metadata = { ...ids, actorId: USER, occurredAt: at.toISOString() };
    const stored: HashedEvent = { stream, version, id, type, data, metadata };
    previous = chainEvent(previous, stored).hash;
    return stored;
  }) as unknown as StoredEvent[];
  const account: ArchivedAccount = { ...resultsOf(events), foldHash: foldHash([{ events }]), events };
  const content = `${JSON.stringify(account, null, 2)}\n`;
  writeFileSync(new URL(nameOf(title, content), FOLDER), content, { flag: 'wx' });
}
