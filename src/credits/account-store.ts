import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { databaseTimeLeft } from '../platform/database/request-budget.js';
import { Deadlines } from '../platform/deadlines.js';
import {
  EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
  type AppendResult,
  type NewEvent,
  type StoredEvent,
} from '../platform/event-store/event-store.js';
import { eventHash } from '../platform/event-store/hash-chain.js';
import { IdGenerator } from '../platform/ids.js';
import type { JsonObject } from '../platform/json.js';
import { AccountCache, type LoadedAccount } from './account-cache.js';
import { AccountSnapshots, DeductionNotLoadedError, noteEnded } from './account-snapshots.js';
import { accountTime, emptyAccount, evolve, type AccountState } from './account.js';
import { AccountBusyError } from './commands.js';
import { accountStream, readCreditEvent, type CreditEvent } from './events.js';

/** Events read at once. */
const PAGE = 1000;
/** Commands of one account that are appended together. */
const MAX_COMMANDS = 256;
/** How long a snapshot may take to come, milliseconds: then the stream is read whole. */
const SNAPSHOT_WITHIN_MS = 1_000;
/** Decisions about one command, each after somebody else's write. */
const MAX_DECISIONS = 50;
/** Pauses before the same events are sent again while no answer comes, milliseconds. */
const RESEND_AFTER_MS = [0, 100];

/** Injection token of `AccountStoreSettings`; what is not given has its default. */
const ACCOUNT_STORE_SETTINGS = Symbol('ACCOUNT_STORE_SETTINGS');

export interface AccountStoreSettings {
  /** From the call to its answer, waiting included, milliseconds; less when the request has spent its time with the database. */
  readonly deadlineMs: number;
  /** What accounts kept in memory may take, in bytes by estimate. Those that commands are under way for come on top. */
  readonly cacheBytes: number;
}

const DEFAULT_ACCOUNT_STORE_SETTINGS: AccountStoreSettings = { deadlineMs: 4_800, cacheBytes: 64_000_000 };

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
type Decide = (state: AccountState, now: Date) => CreditEvent[];

/** Looks at the account right after the command; `at` is the instant of the account's time at which it was decided. */
type AnswerOf<Answer> = (state: AccountState, at: number, events: readonly CreditEvent[]) => Answer;

/** A command that waits for its answer. */
class Job {
  /** Its events are on their way: whether they are stored is not known. */
  sent = false;
  /** Answered already, perhaps because its time was over. */
  done = false;

  constructor(
    readonly stream: string,
    readonly origin: CommandOrigin,
    readonly commandId: string,
    readonly decide: Decide,
    readonly answerOf: AnswerOf<unknown> | undefined,
    /** As `performance.now()` tells time. */
    readonly deadline: number,
    private readonly underWay: Deadlines<Job>,
    private readonly onDone: (execution: Execution<unknown>) => void,
    private readonly onFailed: (error: Error) => void,
  ) {
    underWay.add(this);
  }

  resolve(execution: Execution<unknown>): void {
    if (this.finish()) this.onDone(execution);
  }

  reject(error: Error): void {
    if (this.finish()) this.onFailed(error);
  }

  /** @returns false when it had been answered */
  private finish(): boolean {
    if (this.done) return false;
    this.done = true;
    this.underWay.delete(this);
    return true;
  }
}

/** An account that commands are under way for. */
interface ActiveAccount {
  readonly userId: string;
  readonly stream: string;
  waiting: Job[];
  /** A snapshot does not tell enough. */
  whole: boolean;
  /** As of the last append of this process; null when it has to be loaded. */
  account: LoadedAccount | null;
}

/** What one command came to, before it is known whether its events were stored. */
type Decision =
  | { readonly job: Job; readonly refusal: Error }
  | { readonly job: Job; readonly events: readonly CreditEvent[]; readonly answer: unknown };

/**
 * Executes commands on accounts. Those of one account gather while its append is in flight, and are then decided one after the
 * other and appended together. The state is kept at its version, so that a command costs one round trip; the compare-and-set of
 * the append says when another instance has written.
 */
@Injectable()
export class AccountStore {
  private readonly settings: AccountStoreSettings;
  private readonly cache: AccountCache;
  private readonly active = new Map<string, ActiveAccount>();
  /** Commands without an answer. */
  private readonly underWay: Deadlines<Job>;

  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    @Optional() private readonly snapshots?: AccountSnapshots,
    @Optional() @Inject(ACCOUNT_STORE_SETTINGS) settings?: Partial<AccountStoreSettings>,
  ) {
    this.settings = { ...DEFAULT_ACCOUNT_STORE_SETTINGS, ...settings };
    this.cache = new AccountCache(this.settings.cacheBytes);
    this.underWay = new Deadlines((job) => {
      const late = new Error('The time for a command was over.');
      job.reject(job.sent ? new UnknownOutcomeError(job.stream, late) : new EventStoreUnavailableError(late));
    });
  }

  /** Accounts kept in memory that no command is under way for. */
  get cached(): { readonly accounts: number; readonly bytes: number } {
    return this.cache.size;
  }

  /**
   * Executes one command after those of the same account that came before it.
   * @param answerOf is asked right after the decision: later the state is another, and not the caller's to look at
   * @throws whatever `decide` throws to refuse
   * @throws AccountBusyError when other instances never stopped writing to the account
   * @throws UnknownOutcomeError when the store did not answer (the command may be repeated: it is idempotent)
   * @throws EventStoreUnavailableError when the store could not be asked; nothing was written
   */
  execute<Answer = undefined>(
    userId: string,
    origin: CommandOrigin,
    decide: Decide,
    answerOf?: AnswerOf<Answer>,
  ): Promise<Execution<Answer>> {
    return new Promise((resolve, reject) => {
      const job = new Job(
        accountStream(userId),
        origin,
        this.ids.next(),
        decide,
        answerOf,
        performance.now() + Math.min(this.settings.deadlineMs, databaseTimeLeft()),
        this.underWay,
        resolve as (execution: Execution<unknown>) => void,
        reject,
      );
      const active = this.active.get(userId);
      if (active) {
        active.waiting.push(job);
        return;
      }
      const begun = { userId, stream: job.stream, waiting: [job], whole: false, account: this.cache.take(userId) };
      this.active.set(userId, begun);
      void this.work(begun);
    });
  }

  /** Folds an account's stream from its first event, showing each on the way. */
  async load(userId: string, onEvent?: (event: CreditEvent) => void): Promise<LoadedAccount> {
    const account: LoadedAccount = {
      ...{ state: emptyAccount(), version: NO_STREAM, lastHash: null },
      ...{ photographedAt: NO_STREAM, recentlyEnded: [], newestEnded: null },
    };
    await this.foldTail(account, accountStream(userId), onEvent);
    return account;
  }

  /** The same from the latest snapshot, if there is one that the stream confirms. */
  private async loadQuickly(userId: string): Promise<LoadedAccount> {
    const account = this.snapshots ? await orNullAfter(SNAPSHOT_WITHIN_MS, this.snapshots.find(userId)) : null;
    if (account && (await this.foldTail(account, accountStream(userId)))) return account;
    return this.load(userId);
  }

  /** Never throws: whatever goes wrong is an answer to the commands concerned. */
  private async work(active: ActiveAccount): Promise<void> {
    while (active.waiting.length > 0) {
      const jobs = active.waiting;
      active.waiting = jobs.length > MAX_COMMANDS ? jobs.splice(MAX_COMMANDS) : [];
      await this.executeTogether(active, jobs);
    }
    this.active.delete(active.userId);
    if (active.account) this.cache.put(active.userId, active.account);
  }

  /** Decides these commands and appends what follows as one batch; again when another instance wrote first. */
  private async executeTogether(active: ActiveAccount, all: readonly Job[]): Promise<void> {
    let jobs: readonly Job[] = all;
    try {
      for (let decisions = 0; decisions < MAX_DECISIONS; decisions += 1) {
        if (jobs.length === 0 || (await this.tryTogether(active, jobs))) return;
        jobs = jobs.filter(({ done }) => !done);
      }
      for (const job of jobs) job.reject(new AccountBusyError());
    } catch (error) {
      active.account = null;
      if (error instanceof DeductionNotLoadedError && !active.whole) {
        active.whole = true;
        await this.executeTogether(active, jobs);
        return;
      }
      const open = jobs.filter(({ done }) => !done);
      const oneSpoiltIt = !(error instanceof UnknownOutcomeError) && !(error instanceof EventStoreUnavailableError);
      if (oneSpoiltIt && open.length > 1) {
        for (const job of open) await this.executeTogether(active, [job]);
      } else {
        for (const job of open) job.reject(error as Error);
      }
    }
  }

  /**
   * @returns false when another instance has written to the account meanwhile, and all is to be decided again
   * @throws what keeps the commands from being executed together, other than one command's refusal
   */
  private async tryTogether(active: ActiveAccount, jobs: readonly Job[]): Promise<boolean> {
    const { stream } = active;
    const kept = active.account;
    // The decisions change it, and until their events are stored nobody knows whether it will have been like that.
    active.account = null;
    const { userId } = active;
    const account = kept ?? (await (active.whole ? this.load(userId) : this.loadQuickly(userId)));
    const expected = account.version;
    // Whose time was over while the account was loaded was told that nothing was written: so nothing must be.
    const inTime = jobs.filter(({ done }) => !done);
    const { decisions, events } = this.decideAll(stream, account, inTime);
    let position: string | null = null;
    if (events.length > 0) {
      // The compare-and-set vouches for the refusals among the decisions as well.
      for (const decision of decisions) decision.job.sent = 'events' in decision && decision.events.length > 0;
      let result: AppendResult | null;
      try {
        result = await this.eventStore.append(stream, expected, events);
      } catch (error) {
        result = await this.appendAgain(stream, expected, events, decisions, error);
      }
      if (!result) return false;
      ({ position } = result);
    } else if (kept && (await this.hasGrown(stream, expected))) {
      // It protects only what is written: that nothing follows must be true of the account as it is now.
      return false;
    }
    active.account = account;
    for (const decision of decisions) {
      const { job } = decision;
      if ('refusal' in decision) job.reject(decision.refusal);
      else {
        const wrote = decision.events.length > 0;
        job.resolve({ answer: decision.answer, events: decision.events, position: wrote ? position : null });
      }
    }
    this.snapshots?.offer(userId, account);
    return true;
  }

  /** One after the other, on the state that each leaves behind. */
  private decideAll(
    stream: string,
    account: LoadedAccount,
    jobs: readonly Job[],
  ): { decisions: readonly Decision[]; events: readonly NewEvent[] } {
    const all: NewEvent[] = [];
    const now = this.clock.now();
    const decisions = jobs.map((job): Decision => {
      const at = accountTime(account.state, now);
      let events: CreditEvent[];
      let sealed: NewEvent[];
      try {
        events = job.decide(account.state, now);
        sealed = this.seal(stream, account, events, job, at);
      } catch (error) {
        if (error instanceof DeductionNotLoadedError) throw error;
        return { job, refusal: error as Error };
      }
      const instant = new Date(at);
      for (const event of events) {
        evolve(account.state, event, instant);
        noteEnded(account, event);
      }
      account.version += sealed.length;
      account.lastHash = (sealed.at(-1)?.metadata['hash'] as string | undefined) ?? account.lastHash;
      for (const event of sealed) all.push(event);
      return { job, events, answer: job.answerOf?.(account.state, at, events) };
    });
    return { decisions, events: all };
  }

  /** Gives each event its id and chains its hash to that of the event before it. */
  private seal(
    stream: string,
    { version: before, lastHash }: LoadedAccount,
    events: readonly CreditEvent[],
    { origin, commandId }: Job,
    at: number,
  ): NewEvent[] {
    if (events.length === 0) return [];
    const { actorId, correlationId = commandId } = origin;
    const occurredAt = new Date(at).toISOString();
    let hash = lastHash;
    return events.map(({ type, data }, index) => {
      const id = this.ids.next();
      // In the order of the canonical form, which the hash is taken over.
      const metadata: JsonObject = { actorId, causationId: commandId, correlationId, eventId: id, occurredAt };
      hash = eventHash(hash, { stream, version: before + 1 + index, id, type, data, metadata });
      metadata['hash'] = hash;
      return { id, type, data, metadata };
    });
  }

  /**
   * After an append that failed: sends the same events again while no answer comes. The store knows them by their ids.
   * @returns null when somebody else was first, and none of them is stored
   */
  private async appendAgain(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    decisions: readonly Decision[],
    failure: unknown,
  ): Promise<AppendResult | null> {
    let error = failure;
    let unknown: UnknownOutcomeError | null = null;
    for (let sendings = 0; ; sendings += 1) {
      if (error instanceof UnknownOutcomeError) unknown = error;
      else if (error instanceof WrongExpectedVersionError) {
        // A store may know its events by their ids for a while only: look.
        const found = unknown && (await this.findStored(stream, expected, events, unknown));
        if (found) return found;
        for (const { job } of decisions) job.sent = false;
        return null;
      } else if (!unknown) throw error;
      // What failed for another reason after that says nothing about the first sending.
      const pause = RESEND_AFTER_MS[sendings];
      const until = Math.min(...decisions.map(({ job }) => job.deadline));
      if (pause === undefined || performance.now() + pause >= until) throw unknown;
      await delay(pause);
      try {
        return await this.eventStore.append(stream, expected, events);
      } catch (next) {
        error = next;
      }
    }
  }

  /** Where these events stand, if the sending that was not answered had stored them. */
  private async findStored(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    unknown: UnknownOutcomeError,
  ): Promise<AppendResult | null> {
    let stored: StoredEvent[];
    try {
      stored = await this.eventStore.readStream(stream, { fromVersion: expected + 1, limit: events.length });
    } catch {
      throw unknown;
    }
    const last = stored.at(-1);
    const same = stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id);
    return last && same ? { version: last.version, position: last.position } : null;
  }

  private async hasGrown(stream: string, version: number): Promise<boolean> {
    return (await this.eventStore.readStream(stream, { fromVersion: version + 1, limit: 1 })).length > 0;
  }

  /**
   * Adds what the stream holds beyond the account's version.
   * @returns false when the event at that version is not the one that the account ends with
   */
  private async foldTail(
    account: LoadedAccount,
    stream: string,
    onEvent?: (event: CreditEvent) => void,
  ): Promise<boolean> {
    let fromVersion = Math.max(account.version, 0);
    let page: StoredEvent[];
    do {
      page = await this.eventStore.readStream(stream, { fromVersion, limit: PAGE });
      for (const stored of page) {
        const hash = (stored.metadata['hash'] as string | undefined) ?? null;
        if (stored.version === account.version) {
          if (hash === account.lastHash) continue;
          return false;
        }
        const event = readCreditEvent(stored);
        evolve(account.state, event, occurredAt(stored));
        noteEnded(account, event);
        onEvent?.(event);
        account.version = stored.version;
        account.lastHash = hash;
      }
      // Of a snapshot, the event that it ends with must be there.
      if (page.length === 0 && fromVersion === account.version) return false;
      fromVersion = account.version + 1;
    } while (page.length === PAGE);
    return true;
  }
}

/** When the event was decided, by the account's time. */
export function occurredAt(event: StoredEvent): Date {
  return new Date(event.metadata['occurredAt'] as string);
}

async function orNullAfter<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
