import { AsyncLocalStorage } from 'node:async_hooks';

const TICK_MS = 100;

/**
 * Milliseconds in which this process could have heard the database: while it is busy itself, answers wait unread, and that is not the
 * database's slowness.
 */
class ListeningTime {
  private total = 0;
  private last = performance.now();
  private ticking = false;

  now(): number {
    return this.total + this.sinceTick();
  }

  start(): void {
    if (this.ticking) return;
    this.ticking = true;
    this.last = performance.now();
    setInterval(() => {
      this.total += this.sinceTick();
      this.last = performance.now();
    }, TICK_MS).unref();
  }

  private sinceTick(): number {
    return Math.min(performance.now() - this.last, 2 * TICK_MS);
  }
}

const listening = new ListeningTime();

/** Time that a request may still wait for the database. What runs side by side counts once. */
class Budget {
  private spentMs = 0;
  private waiting = 0;
  private since = 0;

  constructor(private totalMs: number) {}

  get leftMs(): number {
    const now = this.waiting > 0 ? listening.now() - this.since : 0;
    return Math.max(0, this.totalMs - this.spentMs - now);
  }

  begin(): void {
    if (this.waiting === 0) this.since = listening.now();
    this.waiting += 1;
  }

  end(): void {
    this.waiting -= 1;
    if (this.waiting === 0) this.spentMs += listening.now() - this.since;
  }

  lift(): void {
    this.totalMs = Infinity;
  }
}

const budgets = new AsyncLocalStorage<Budget>();

/** Runs `work` and whatever it begins with so many milliseconds for the database in all; time spent elsewhere does not count. */
export function withDatabaseBudget<T>(ms: number, work: () => T): T {
  listening.start();
  return budgets.run(new Budget(ms), work);
}

/** Nobody waits any more, or for something else than one answer: what still goes on has the limits of its pool. */
export function liftDatabaseBudget(): void {
  budgets.getStore()?.lift();
}

/** Milliseconds that the request being handled may still wait for the database; Infinity outside of one. */
export function databaseTimeLeft(): number {
  return budgets.getStore()?.leftMs ?? Infinity;
}

/**
 * Counts the time from now until the returned function is called, and calls `onSpent` should the budget be spent before.
 * What has arrived by then is heard first.
 */
export function spendDatabaseTime(onSpent: () => void): () => void {
  const budget = budgets.getStore();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const left = databaseTimeLeft();
    if (left === 0) setImmediate(() => setImmediate(() => ended || onSpent()));
    else if (left !== Infinity) timer = setTimeout(look, Math.max(left, 1));
  };
  budget?.begin();
  look();
  return () => {
    ended = true;
    clearTimeout(timer);
    budget?.end();
  };
}
