import { AsyncResource } from 'node:async_hooks';
import { DatabaseSilentError } from './budgeted-pool.js';
import { spendDatabaseTime } from './request-budget.js';

/** A read until it has its answer. */
interface Pending<Request, Answer> {
  readonly request: Request;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Statements in flight at once. */
const STATEMENTS = 2;
/** Most reads in one statement. */
const MOST_READS = 64;

/**
 * Reads that arrive while others are in flight wait, and are then sent together, as appends are: many cold accounts at
 * once cost a statement for dozens of them. A read that is alone is sent at once. Each waits at most for the rest of
 * its request's time for the database.
 */
export class GroupedReads<Request, Answer> {
  private waiting: Pending<Request, Answer>[] = [];
  private inFlight = 0;
  // A statement serves many requests, so it belongs to none: the time or the lease of one must not end it.
  private readonly outside = AsyncResource.bind(<T>(work: () => T): T => work());

  /** @param send reads for all of them with one statement, and returns an answer for each, in their order */
  constructor(private readonly send: (requests: readonly Request[]) => Promise<readonly Answer[]>) {}

  /**
   * @throws the error of the statement
   * @throws DatabaseSilentError when the request has no time left; nothing was changed
   */
  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stopTimer = spendDatabaseTime(() => {
        stopTimer();
        reject(new DatabaseSilentError(false));
      });
      this.waiting.push({
        request,
        resolve: (answer) => {
          stopTimer();
          resolve(answer);
        },
        reject: (error) => {
          stopTimer();
          reject(error as Error);
        },
      });
      if (this.inFlight < STATEMENTS) void this.outside(() => this.work());
    });
  }

  /** Sends what waits until nothing does. Never throws: errors are the answers. */
  private async work(): Promise<void> {
    this.inFlight += 1;
    for (;;) {
      // Reads that begin in the same turn of the event loop are sent together.
      await new Promise(setImmediate);
      const group = this.waiting.splice(0, MOST_READS);
      if (group.length === 0) break;
      try {
        const answers = await this.send(group.map(({ request }) => request));
        for (const [index, pending] of group.entries()) pending.resolve(answers[index] as Answer);
      } catch (error) {
        for (const pending of group) pending.reject(error);
      }
    }
    this.inFlight -= 1;
  }
}
