import { AsyncLocalStorage } from 'node:async_hooks';

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

/** A lease, for everything that its work starts. */
interface Held extends Lease {
  open: boolean;
  /** The leases around this one. */
  readonly outer: Held | undefined;
}

const held = new AsyncLocalStorage<Held | undefined>();

/**
 * Runs work under a lease: a pool of requests or of jobs (`budgeted-pool.ts`) lets it write only while the lease is in
 * the database. Work in the background that outlives the lock is free again.
 */
export async function underLease<T>({ name, token }: Lease, work: () => Promise<T>): Promise<T> {
  const own: Held = { name, token, open: true, outer: held.getStore() };
  try {
    return await held.run(own, work);
  } finally {
    own.open = false;
  }
}

/** Runs work that needs no lease, also within one. */
export function withoutLease<T>(work: () => T): T {
  return held.run(undefined, work);
}

/** The leases that a write needs now. */
export function neededLeases(): readonly Lease[] {
  const needed: Lease[] = [];
  for (let at = held.getStore(); at; at = at.outer) if (at.open) needed.push(at);
  return needed;
}

const UUID = /^[0-9a-f-]{36}$/;

/** The statement that returns the tokens that are valid. They stay so until the transaction ends. */
export function leaseCheck(leases: readonly Lease[]): string {
  const tokens = leases.map(({ token }) => token);
  if (!tokens.every((token) => UUID.test(token))) throw new Error('The token of a lease is not a uuid.');
  return `select token from lease where token in (${tokens.map((token) => `'${token}'`).join(', ')}) for share`;
}

/** @throws LeaseLostError when another process took a lease that is still needed */
export function requireLeases(checked: readonly Lease[], valid: readonly Pick<Lease, 'token'>[]): void {
  const needed = new Set(neededLeases());
  // A lock that was given back meanwhile is not lost.
  const lost = checked.filter((lease) => needed.has(lease) && !valid.some(({ token }) => token === lease.token));
  if (lost.length > 0) throw new LeaseLostError(lost.map(({ name }) => name));
}
