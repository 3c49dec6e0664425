import { AsyncLocalStorage } from 'node:async_hooks';
import { type DatabaseConnection, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely';
import type pg from 'pg';

/**
 * A transaction asked for a second connection of its pool. As many of them as the pool has connections would wait for
 * each other, and all users for them.
 */
export class SecondConnectionError extends Error {
  constructor() {
    super('A transaction asked for a second connection of its pool. Use its own, or ask when it has ended.');
    this.name = 'SecondConnectionError';
  }
}

/** A transaction, for everything that its callback starts. */
interface Held {
  /** Null: everything inside may take a second connection. */
  readonly pool: object | null;
  open: boolean;
  /** The pool of which everything inside may take a second connection, once one was free. */
  slots?: ConnectionSlots;
  /** The transaction around this one. */
  readonly outer: Held | undefined;
}

const currentTransaction = new AsyncLocalStorage<Held>();

/**
 * The innermost transaction that has not ended: this one, or one around it. A worker goes on in the context of its last
 * transaction, so those that have ended must not be kept.
 */
function openFrom(transaction: Held | undefined): Held | undefined {
  let at = transaction;
  while (at && !at.open) at = at.outer;
  return at;
}

/** @throws SecondConnectionError within a transaction of this pool */
export function refuseSecondConnection(pool: object): void {
  let refused = false;
  for (let at = openFrom(currentTransaction.getStore()); at; at = openFrom(at.outer)) {
    if (at.pool === null) return;
    refused ||= at.pool === pool;
  }
  if (refused) throw new SecondConnectionError();
}

/** Bounds the workers that hold a connection of a pool and need a second one: one connection remains for those. */
class ConnectionSlots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async take(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  giveBack(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}

const slotsByPool = new WeakMap<object, ConnectionSlots>();

function slotsOf(pool: pg.Pool): ConnectionSlots {
  const known = slotsByPool.get(pool);
  if (known) return known;
  const slots = new ConnectionSlots(Math.max(1, pool.options.max - 1));
  slotsByPool.set(pool, slots);
  return slots;
}

/**
 * Runs the transaction of a background worker that reads from its pool meanwhile. At its first connection it waits
 * until fewer such workers run than the pool has connections. Every other holder of a connection waits for no second
 * one, so a worker always gets its own.
 */
export async function withSecondConnection<T>(work: () => Promise<T>): Promise<T> {
  const own: Held = { pool: null, open: true, outer: openFrom(currentTransaction.getStore()) };
  try {
    return await currentTransaction.run(own, work);
  } finally {
    own.open = false;
    own.slots?.giveBack();
  }
}

/** Waits for a slot of the innermost worker that needs two connections, unless it or one around it has one. */
async function waitForSlot(pool: pg.Pool): Promise<void> {
  const slots = slotsOf(pool);
  let worker: Held | undefined;
  for (let at = openFrom(currentTransaction.getStore()); at; at = openFrom(at.outer)) {
    if (at.slots === slots) return;
    if (at.pool === null) worker ??= at;
  }
  if (!worker || worker.slots) return;
  worker.slots = slots;
  await slots.take();
}

/** Kysely on a pool: within a transaction, the pool gives no second connection. */
export class OneConnectionDialect extends PostgresDialect {
  constructor(private readonly pool: pg.Pool) {
    super({ pool });
  }

  override createDriver(): PostgresDriver {
    return new OneConnectionDriver(this.pool);
  }
}

class OneConnectionDriver extends PostgresDriver {
  private readonly transactions = new WeakMap<DatabaseConnection, Held>();

  constructor(private readonly pool: pg.Pool) {
    super({ pool });
  }

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    await waitForSlot(this.pool);
    return super.acquireConnection();
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const transaction = { pool: this.pool, open: true, outer: openFrom(currentTransaction.getStore()) };
    this.transactions.set(connection, transaction);
    // Before the first wait, so that the caller and its callback go on in this context.
    currentTransaction.enterWith(transaction);
    await super.beginTransaction(connection, settings);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.end(connection);
  }

  override async releaseConnection(connection: never): Promise<void> {
    this.end(connection);
    await super.releaseConnection(connection);
  }

  /** A connection that was not given back may serve further transactions. */
  private end(connection: DatabaseConnection): void {
    const transaction = this.transactions.get(connection);
    if (transaction) transaction.open = false;
  }
}
