import { AsyncLocalStorage } from 'node:async_hooks';

/** Time that a request may still wait for the database. What runs side by side counts once. */
class Budget {
  private spentMs = 0;
  private waiting = 0;
  private since = 0;

  constructor(private totalMs: number) {}

  get leftMs(): number {
    const now = this.waiting > 0 ? performance.now() - this.since : 0;
    return Math.max(0, this.totalMs - this.spentMs - now);
  }

  begin(): void {
    if (this.waiting === 0) this.since = performance.now();
    this.waiting += 1;
  }

  end(): void {
    this.waiting -= 1;
    if (this.waiting === 0) this.spentMs += performance.now() - this.since;
  }

  lift(): void {
    this.totalMs = Infinity;
  }
}

const budgets = new AsyncLocalStorage<Budget>();

/** Runs `work` and whatever it begins with so many milliseconds for the database in all; time spent elsewhere does not count. */
export function withDatabaseBudget<T>(ms: number, work: () => T): T {
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

/** Counts the time from now until the returned function is called. */
export function spendDatabaseTime(): () => void {
  const budget = budgets.getStore();
  budget?.begin();
  return () => budget?.end();
}
