import type { Deadlines } from '../../platform/deadlines.js';
import { NO_STREAM, type NewEvent } from '../../platform/event-store/event-store.js';
import { PendingWrite } from '../../platform/event-store/pending-write.js';
import type { AccountState } from '../account/state.js';
import type { CreditEvent } from '../account/events.js';
import type { LoadedAccount } from './loaded-account.js';

/** Commands of one account that are appended together, at most. */
const MAX_COMMANDS = 256;
/** So few are never shared out among two appends. */
const FEW_COMMANDS = 16;

/** On whose behalf, and as part of what, a command is executed; goes into the metadata of its events. */
export interface CommandOrigin {
  /** User id, or `system` for what follows from a generation's outcome. */
  readonly actorId: string;
  /** The business process: a generation's id. Defaults to the command itself. */
  readonly correlationId?: string;
}

/** What came of a command. */
export interface Execution<Answer> {
  /** What the command's `answer` said of the account right after it. */
  readonly answer: Answer;
  /** What was written; empty for a repeat. */
  readonly events: readonly CreditEvent[];
  /** Who has read up to here has seen what was written; null when nothing was. */
  readonly position: string | null;
}

/** Answers with the events that follow, none for a repeat; throws to refuse. Looks at its arguments and nothing else. */
export type Decide = (state: AccountState, now: Date) => CreditEvent[];

/** Looks at the account right after the command; `at` is the instant of the account's time at which it was decided. */
export type AnswerOf<Answer> = (state: AccountState, at: number, events: readonly CreditEvent[]) => Answer;

/** A command that waits for its answer. */
export class Job extends PendingWrite<Execution<unknown>> {
  /** Decisions that somebody else's write has overtaken. */
  overtaken = 0;
  /** The account was read after the command had come: what it says was true since. */
  loadedFor = false;

  constructor(
    stream: string,
    readonly origin: CommandOrigin,
    readonly commandId: string,
    readonly decide: Decide,
    readonly answerOf: AnswerOf<unknown> | undefined,
    deadline: number,
    underWay: Deadlines<Job>,
    onAnswer: (execution: Execution<unknown>) => void,
    onFailure: (error: Error) => void,
  ) {
    super(stream, deadline, underWay, onAnswer, onFailure);
  }
}

/** What one command came to, before it is known whether its events are stored. */
export class Decision {
  constructor(
    readonly job: Job,
    readonly refusal: Error | null,
    readonly events: readonly CreditEvent[] = [],
    /** The same as they are appended. */
    readonly sealed: readonly NewEvent[] = [],
    private readonly answer?: unknown,
  ) {}

  /** @param position of the append that stored its events */
  tell(position: string | null): void {
    const { job, refusal, events, answer } = this;
    if (refusal) job.fail(refusal);
    else job.answer({ answer, events, position: events.length > 0 ? position : null });
  }
}

/**
 * The commands under way for one account, in the order in which they came. The next ones are decided while an append is in flight, as
 * if it had succeeded already; when it has not, they are decided again.
 */
export class AccountQueue {
  // These are emptied and never replaced: what an old array that nobody needs still holds, the collector takes for alive
  /** Commands that nothing is decided about, since the account is not loaded. */
  readonly waiting: Job[] = [];
  /** Decided, each on what the one before leaves behind, and not sent. */
  readonly ahead: Decision[] = [];
  /** As the last decision leaves it; null when it has to be loaded. */
  account: LoadedAccount | null = null;
  /** Of the last event that is known to be stored: the account's own, unless something is decided ahead. */
  version = NO_STREAM;
  /** Commands are under way. */
  busy = false;
  /** A snapshot does not tell enough. */
  whole = false;
  /** So many commands go one by one, since one of them spoils it for the others. */
  alone = 0;
  /** Commands that the latest append was for. */
  private latest = 0;
  /** @see AccountCache */
  used = false;
  /** What it takes in memory when nothing is under way, and the last time that this was looked at closely. */
  bytes = 0;
  measured: { readonly bytes: number; readonly version: number } | null = null;

  constructor(
    readonly userId: string,
    readonly stream: string,
  ) {}

  get empty(): boolean {
    return this.waiting.length === 0 && this.ahead.length === 0;
  }

  loaded(account: LoadedAccount): void {
    this.account = account;
    this.version = account.version;
    this.measured = null;
  }

  /**
   * Takes the decisions that are appended next. When there are many, as many are left as may come again by then (those that the latest
   * append was for): so that this process decides about one half while the database writes the other.
   */
  take(): readonly Decision[] {
    const half = Math.ceil((this.ahead.length + this.latest) / 2);
    const most = this.alone > 0 ? 1 : Math.min(MAX_COMMANDS, Math.max(FEW_COMMANDS, half));
    const batch = this.ahead.splice(0, most);
    this.latest = batch.length;
    return batch;
  }

  /** Gives up what was decided and not stored: these commands, and those after them, are decided again on the account as it will be loaded. */
  undo(batch: readonly Decision[] = []): void {
    const jobs = [...batch, ...this.ahead.splice(0)].map(({ job }) => job);
    for (const job of jobs) job.sent = false;
    this.waitFirst(jobs.filter(({ answered }) => !answered));
    this.account = null;
  }

  /** One command is to blame for a failure. */
  reject(job: Job, error: Error): void {
    job.fail(error);
    const place = this.waiting.indexOf(job);
    if (place !== -1) this.waiting.splice(place, 1);
    this.alone = Math.max(0, this.alone - 1);
  }

  /** In front of those who wait already. */
  waitFirst(jobs: readonly Job[]): void {
    const later = this.waiting.splice(0);
    for (const job of jobs) this.waiting.push(job);
    for (const job of later) this.waiting.push(job);
  }
}
