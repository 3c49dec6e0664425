import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { databaseTimeLeft } from '../../platform/database/request-budget.js';
import { Deadlines } from '../../platform/deadlines.js';
import { DomainError } from '../../platform/domain-error.js';
import {
  EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
  type AppendResult,
  type NewEvent,
  type StoredEvent,
} from '../../platform/event-store/event-store.js';
import { chainEvent } from '../../platform/event-store/hash-chain.js';
import { IdGenerator } from '../../platform/ids.js';
import type { JsonObject } from '../../platform/json.js';
import { AccountCache } from './account-cache.js';
import { AccountSnapshots, DeductionNotLoadedError, noteEnded } from './account-snapshots.js';
import {
  AccountQueue,
  Decision,
  Job,
  type AnswerOf,
  type CommandOrigin,
  type Decide,
  type Execution,
} from './account-queue.js';
import { accountTime, emptyAccount, evolve } from '../account/state.js';
import { accountStream, readCreditEvent, type CreditEvent } from '../account/events.js';
import type { LoadedAccount } from './loaded-account.js';

/** Events read at once. */
const PAGE = 1000;
/** How long a snapshot may take to come, milliseconds: then the stream is read whole. */
const SNAPSHOT_WITHIN_MS = 1_000;
/** Decisions about one command, each after somebody else's write. */
const MAX_DECISIONS = 50;
/** Pauses before the same events are sent again while no answer comes, milliseconds. */
const RESEND_AFTER_MS = [0, 100];

/** Actor of what follows from a generation's outcome or from the payment processor's reports. */
export const SYSTEM_ACTOR = 'system';

/** Other instances kept writing to the account while this command was tried. Nothing was written; it may be sent again. */
export class AccountBusyError extends DomainError {
  constructor() {
    super('unavailable', 'Your account is busy and nothing was done. Please try again in a moment.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Injection token of `AccountStoreSettings`; what is not given has its default. */
const ACCOUNT_STORE_SETTINGS = Symbol('ACCOUNT_STORE_SETTINGS');

export interface AccountStoreSettings {
  /** From the call to its answer, waiting included, milliseconds; less when the request has spent its time with the database. */
  readonly deadlineMs: number;
  /** What accounts kept in memory may take, in bytes by estimate. Those that commands are under way for come on top. */
  readonly cacheBytes: number;
}

const DEFAULT_ACCOUNT_STORE_SETTINGS: AccountStoreSettings = { deadlineMs: 4_800, cacheBytes: 64_000_000 };

/**
 * Executes commands on accounts, those of one account one after the other. While an append is in flight, the next ones are decided on
 * what it will have led to; they are appended together once it has. The state is kept at its version, so that a command costs one
 * round trip; the compare-and-set of the append says when another instance has written.
 */
@Injectable()
export class AccountStore {
  private readonly settings: AccountStoreSettings;
  private readonly cache: AccountCache;
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
    this.underWay = new Deadlines((job) => job.failLate(new Error('The time for a command was over.')));
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
      const queue = this.cache.queueOf(userId);
      const job = new Job(
        queue.stream,
        origin,
        this.ids.next(),
        decide,
        answerOf,
        performance.now() + Math.min(this.settings.deadlineMs, databaseTimeLeft()),
        this.underWay,
        resolve as (execution: Execution<unknown>) => void,
        reject,
      );
      queue.waiting.push(job);
      if (queue.busy) this.decideAhead(queue);
      else void this.work(queue);
    });
  }

  /** Reads from the account as its stream is now, by a command that writes nothing. */
  async read<Answer>(userId: string, answerOf: AnswerOf<Answer>): Promise<Answer> {
    const { answer } = await this.execute(userId, { actorId: userId }, decideNothing, answerOf);
    return answer;
  }

  /** Folds an account's stream from its first event and passes each event to `onEvent`. */
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
  private async work(queue: AccountQueue): Promise<void> {
    const { userId, stream } = queue;
    this.cache.begin(queue);
    while (!queue.empty) {
      if (!queue.account && !(await this.loadFor(queue))) continue;
      this.decideAhead(queue);
      const batch = queue.take();
      if (batch.length === 0) continue;
      if (batch.some(({ job }) => job.answered)) {
        // Whose time was over was told that nothing was written: so nothing must be. What was decided after it is void with it.
        queue.undo(batch);
        continue;
      }
      const events = batch.flatMap(({ sealed }) => sealed);
      let position: string | null = null;
      try {
        if (events.length > 0) {
          // The compare-and-set vouches for the refusals among the decisions as well.
          for (const { job, events: own } of batch) job.sent = own.length > 0;
          const result = await this.append(queue, events, batch);
          if (!result) {
            this.overtaken(queue, batch);
            continue;
          }
          ({ position } = result);
          queue.version += events.length;
        } else if (batch.some(({ job }) => !job.loadedFor) && (await this.hasGrown(stream, queue.version))) {
          // It protects only what is written: that nothing follows must be true of the account as it is now.
          this.overtaken(queue, batch);
          continue;
        }
      } catch (error) {
        this.failed(queue, batch, error as Error);
        continue;
      }
      if (queue.alone > 0) queue.alone -= 1;
      this.tell(queue, batch, position);
      if (queue.account?.version === queue.version) this.snapshots?.offer(userId, queue.account);
    }
    queue.alone = 0;
    this.cache.end(queue);
  }

  /** @returns false when it could not be loaded, which is the answer to all who have waited for it */
  private async loadFor(queue: AccountQueue): Promise<boolean> {
    const waiting = queue.waiting.length;
    for (const job of queue.waiting) job.loadedFor = true;
    try {
      const { userId } = queue;
      queue.loaded(await (queue.whole ? this.load(userId) : this.loadQuickly(userId)));
      return true;
    } catch (error) {
      for (const job of queue.waiting.splice(0, waiting)) job.fail(error as Error);
      return false;
    }
  }

  /** Decides about those who wait, if the account is there, one after the other on the state that each leaves behind. */
  private decideAhead(queue: AccountQueue): void {
    const { account, alone, ahead } = queue;
    if (!account || (alone > 0 && ahead.length > 0)) return;
    const jobs = queue.waiting.splice(0, alone > 0 ? 1 : Infinity);
    const now = this.clock.now();
    for (const [index, job] of jobs.entries()) {
      if (job.answered) {
        queue.alone = Math.max(0, queue.alone - 1);
        continue;
      }
      try {
        ahead.push(this.decide(queue.stream, account, job, now));
      } catch (error) {
        queue.waitFirst(jobs.slice(index));
        this.failed(queue, [], error as Error, job);
        return;
      }
    }
  }

  /**
   * Decides and changes the account as if the events were stored.
   * @throws DeductionNotLoadedError when the account was loaded in part and that is not enough
   * @throws whatever is no refusal; the account is then of no use
   */
  private decide(stream: string, account: LoadedAccount, job: Job, now: Date): Decision {
    const at = accountTime(account.state, now);
    let events: CreditEvent[];
    let sealed: NewEvent[];
    try {
      events = job.decide(account.state, now);
      sealed = this.seal(stream, account, events, job, at);
    } catch (error) {
      if (error instanceof DeductionNotLoadedError) throw error;
      return new Decision(job, error as Error);
    }
    const instant = new Date(at);
    for (const event of events) {
      evolve(account.state, event, instant);
      noteEnded(account, event);
    }
    account.version += sealed.length;
    account.lastHash = (sealed.at(-1)?.metadata['hash'] as string | undefined) ?? account.lastHash;
    return new Decision(job, null, events, sealed, job.answerOf?.(account.state, at, events));
  }

  /** @returns null when another instance has written to the account meanwhile, and nothing of this is stored */
  private async append(
    { stream, version }: AccountQueue,
    events: readonly NewEvent[],
    batch: readonly Decision[],
  ): Promise<AppendResult | null> {
    try {
      return await this.eventStore.append(stream, version, events);
    } catch (error) {
      return this.appendAgain(stream, version, events, batch, error);
    }
  }

  /** Another instance has written to the account: all is to be decided again. */
  private overtaken(queue: AccountQueue, batch: readonly Decision[]): void {
    for (const { job } of batch) {
      job.overtaken += 1;
      if (job.overtaken === MAX_DECISIONS) job.fail(new AccountBusyError());
    }
    queue.undo(batch);
  }

  /**
   * Commands could not be executed together, for another reason than one's refusal.
   * @param deciding the command that failed while it was decided
   */
  private failed(queue: AccountQueue, batch: readonly Decision[], error: Error, deciding?: Job): void {
    const ofStore = error instanceof UnknownOutcomeError || error instanceof EventStoreUnavailableError;
    if (ofStore) for (const { job } of batch) job.fail(error);
    queue.undo(batch);
    if (ofStore) return;
    // Alone, it is to blame; one of several, or what was decided on top of others, is tried alone
    const tried = batch.length === 1 ? batch[0]?.job : queue.alone > 0 ? deciding : undefined;
    if (error instanceof DeductionNotLoadedError && !queue.whole) queue.whole = true;
    else if (tried) queue.reject(tried, error);
    else queue.alone = queue.waiting.length;
  }

  /** Answers the commands of an append, at once unless others wait for the next one: that is to be on its way first. */
  private tell(queue: AccountQueue, batch: readonly Decision[], position: string | null): void {
    const tell = (): void => {
      for (const decision of batch) decision.tell(position);
    };
    if (queue.empty) tell();
    // An append goes at the end of a turn of the event loop
    else setImmediate(() => setImmediate(tell));
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
    let previous = lastHash;
    return events.map(({ type, data }, index) => {
      const id = this.ids.next();
      // In the order of the canonical form, which the hash is taken over.
      const metadata: JsonObject = { actorId, causationId: commandId, correlationId, eventId: id, occurredAt };
      const { hash, json } = chainEvent(previous, { stream, version: before + 1 + index, id, type, data, metadata });
      previous = hash;
      return { id, type, data, metadata, json };
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

const decideNothing: Decide = () => [];

/** When the event was decided, in account time. */
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
