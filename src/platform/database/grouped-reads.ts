import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { DatabaseSilentError } from './budgeted-pool.js';
import { spendDatabaseTime } from './request-budget.js';

/** Statements in flight at once. */
const STATEMENTS_AT_ONCE = 2;
/** Most reads in one statement. */
const MOST_READS = 64;
/** SQLSTATE of a value that the database refuses: only the read that has it fails. */
const REFUSED_VALUE = /^22...$/;

/** A read until it has its answer, or its caller waits no longer. */
class PendingRead<Request, Answer> {
  settled = false;
  private readonly timer: NodeJS.Timeout;
  private readonly stopBudget: () => void;

  constructor(
    readonly request: Request,
    deadlineMs: number,
    private readonly onAnswer: (answer: Answer) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.timer = setTimeout(() => this.fail(new Error(`There was no answer within ${deadlineMs} ms.`)), deadlineMs);
    this.stopBudget = spendDatabaseTime(() => this.fail(new DatabaseSilentError(false)));
  }

  answer(answer: Answer): void {
    if (this.settle()) this.onAnswer(answer);
  }

  fail(error: unknown): void {
    if (this.settle()) this.onFailure(error);
  }

  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.timer);
    this.stopBudget();
    return true;
  }
}

/**
 * Reads that arrive while others are in flight wait, and are then sent together, as appends are: many cold accounts at
 * once cost a statement for dozens of them. A read that is alone is sent at once. Each waits until the deadline, and at
 * most for the rest of its request's time for the database.
 */
export class GroupedReads<Request, Answer> {
  private waiting: PendingRead<Request, Answer>[] = [];
  private inFlight = 0;
  // A statement serves many requests, so it belongs to none: the time or the lease of one must not end it.
  private readonly outside = AsyncResource.bind(<T>(work: () => T): T => work());

  /**
   * @param send reads for all of them with one statement, and returns an answer for each, in their order; an answer
   *   that needs more statements is a promise
   */
  constructor(
    private readonly send: (requests: readonly Request[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
    private readonly deadlineMs: number,
  ) {}

  /**
   * @throws the error of the statement, or an Error after the deadline
   * @throws DatabaseSilentError when the request has no time left; nothing was changed
   */
  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push(new PendingRead(request, this.deadlineMs, resolve, reject));
      if (this.inFlight < STATEMENTS_AT_ONCE) void this.outside(() => this.work());
    });
  }

  /** Sends what waits until nothing does. Never throws: errors are the answers. */
  private async work(): Promise<void> {
    this.inFlight += 1;
    for (;;) {
      // Reads that begin in the same turn of the event loop are sent together.
      await new Promise(setImmediate);
      this.waiting = this.waiting.filter(({ settled }) => !settled);
      const group = this.waiting.splice(0, MOST_READS);
      if (group.length === 0) break;
      await this.answer(group);
    }
    this.inFlight -= 1;
  }

  private async answer(group: readonly PendingRead<Request, Answer>[]): Promise<void> {
    try {
      const answers = await this.send(group.map(({ request }) => request));
      for (const [index, pending] of group.entries()) {
        const answer = answers[index] as Answer | Promise<Answer>;
        if (!(answer instanceof Promise)) pending.answer(answer);
        else
          answer.then(
            (late) => pending.answer(late),
            (error: unknown) => pending.fail(error),
          );
      }
    } catch (error) {
      const isOfOne = error instanceof pg.DatabaseError && REFUSED_VALUE.test(error.code ?? '') && group.length > 1;
      if (isOfOne) for (const pending of group) await this.answer([pending]);
      else for (const pending of group) pending.fail(error);
    }
  }
}
