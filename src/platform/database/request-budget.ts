import { AsyncLocalStorage } from 'node:async_hooks';

const TICK_MS = 100;

/**
 * Milliseconds in which this process was able to read answers. While its event loop is busy, answers wait unread; that
 * time must not count as waiting for the database.
 */
class ListeningTime {
  private total = 0;
  private last = 0;
  private waits = 0;
  private timer: NodeJS.Timeout | undefined;

  now(): number {
    return this.total + this.sinceTick();
  }

  /** A wait begins. The clock stops between waits: its timer would wake an idle process. */
  begin(): void {
    this.waits += 1;
    if (this.waits > 1) return;
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  end(): void {
    this.tick();
    this.waits -= 1;
    if (this.waits === 0) clearInterval(this.timer);
  }

  private tick(): void {
    this.total += this.sinceTick();
    this.last = performance.now();
  }

  private sinceTick(): number {
    return this.waits === 0 ? 0 : Math.min(performance.now() - this.last, 2 * TICK_MS);
  }
}

const listening = new ListeningTime();

/** Time that a request may still wait for the database. Parallel waits count once. */
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
    if (this.waiting === 0) {
      listening.begin();
      this.since = listening.now();
    }
    this.waiting += 1;
  }

  end(): void {
    this.waiting -= 1;
    if (this.waiting > 0) return;
    this.spentMs += listening.now() - this.since;
    listening.end();
  }

  lift(): void {
    this.totalMs = Infinity;
  }
}

const budgets = new AsyncLocalStorage<Budget>();

/**
 * Runs `work`, and everything that it starts, with this total time for the database. Time spent elsewhere does not
 * count.
 */
export function withDatabaseBudget<T>(ms: number, work: () => T): T {
  return budgets.run(new Budget(ms), work);
}

/**
 * Lifts the budget of the current request, when it is answered or may take long. The limits of the pool still apply.
 */
export function liftDatabaseBudget(): void {
  budgets.getStore()?.lift();
}

/** Milliseconds that the current request may still wait for the database; Infinity outside of a request. */
export function databaseTimeLeft(): number {
  return budgets.getStore()?.leftMs ?? Infinity;
}

/**
 * Spends the budget from now until the returned function is called. Calls `onSpent` if the budget is spent before that;
 * answers that have arrived by then are processed first.
 */
export function spendDatabaseTime(onSpent: () => void): () => void {
  const budget = budgets.getStore();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const remainingMs = databaseTimeLeft();
    if (remainingMs === 0) setImmediate(() => setImmediate(() => ended || onSpent()));
    else if (remainingMs !== Infinity) timer = setTimeout(look, Math.max(remainingMs, 1));
  };
  budget?.begin();
  look();
  return () => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    budget?.end();
  };
}
