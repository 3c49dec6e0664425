import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** A lock with its proof: the token is in the table `lease` until another holder takes the lock. */
export interface Lease {
  readonly name: string;
  /** A uuid. */
  readonly token: string;
}

/** Another process has taken the lock under which this one works. Nothing was written. */
export class LeaseLostError extends Error {
  constructor(names: readonly string[]) {
    super(`This process has lost the lock ${names.join(', ')} to another one, so it writes nothing more under it.`);
    this.name = 'LeaseLostError';
  }
}

/** Longer than any part of the work under a lost lease goes on, milliseconds. */
const LATE_MS = 5 * 60_000;

/** A lease, for everything that its work starts. */
export interface Held extends Lease {
  /** Whether the work goes on. */
  open: boolean;
  /** Parts of the work go on after a loss: until then they need the lease, too. By `performance.now()`. */
  neededUntil: number;
  /** The leases around this one. */
  readonly outer: Held | undefined;
}

const currentLease = new AsyncLocalStorage<Held | undefined>();

/**
 * Runs work under a lease: a pool of requests or of jobs (`budgeted-pool.ts`) lets it write only while the lease is in
 * the database. Work in the background that outlives the lock is free again, unless the lock was lost.
 * @param lost aborted when the connection of the lock broke
 */
export async function underLease<T>({ name, token }: Lease, lost: AbortSignal, work: () => Promise<T>): Promise<T> {
  const own: Held = { name, token, open: true, neededUntil: 0, outer: currentLease.getStore() };
  try {
    return await currentLease.run(own, work);
  } finally {
    own.open = false;
    if (lost.aborted) keepNeeded(own);
  }
}

function keepNeeded(lease: Held): void {
  lease.neededUntil = performance.now() + LATE_MS;
}

const isNeeded = ({ open, neededUntil }: Held): boolean => open || performance.now() < neededUntil;

/** Runs work that needs no lease, also within one. */
export function withoutLease<T>(work: () => T): T {
  return currentLease.run(undefined, work);
}

/** The leases that a write needs now. */
export function neededLeases(): readonly Held[] {
  const needed: Held[] = [];
  for (let at = currentLease.getStore(); at; at = at.outer) if (isNeeded(at)) needed.push(at);
  return needed;
}

const UUID = /^[0-9a-f-]{36}$/;

/**
 * The statements that return the tokens that are valid. They stay so until the transaction ends, which it must: a
 * process that hangs in it loses it after ten seconds.
 */
export function leaseCheck(leases: readonly Lease[]): string {
  if (!leases.every(({ token }) => UUID.test(token))) throw new Error('The token of a lease is not a uuid.');
  const rows = leases.map(({ name, token }) => `name = ${pg.escapeLiteral(name)} and token = '${token}'`);
  return `select token from lease where ${rows.join(' or ')} for share;
    set local idle_in_transaction_session_timeout = '10s'`;
}

/** @throws LeaseLostError when another process took a lease that is still needed */
export function requireLeases(checked: readonly Held[], valid: readonly Pick<Lease, 'token'>[]): void {
  const invalid = checked.filter((lease) => !valid.some(({ token }) => token === lease.token));
  // A lock that was given back meanwhile is not lost.
  const lost = invalid.filter(isNeeded);
  // Other parts of the work may go on after this error has ended it.
  lost.forEach(keepNeeded);
  if (lost.length > 0) throw new LeaseLostError(lost.map(({ name }) => name));
}
