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
import { within } from '../../platform/within.js';
import { AccountDeletedError, accountError } from '../account/errors.js';
import { accountStream, readCreditEvent, type CreditEvent } from '../account/events.js';
import { accountTime, DeductionNotLoadedError, emptyAccount, evolve, timeOfEvents } from '../account/state.js';
import { AccountCache } from './account-cache.js';
import type { AccountQueue } from './account-queue.js';
import { AccountSnapshots, recordEnded } from './account-snapshots.js';
import type { LoadedAccount } from './loaded-account.js';
import {
  Decision,
  PendingCommand,
  type AnswerOf,
  type CommandOrigin,
  type Decide,
  type Execution,
} from './pending-command.js';

/** Events per read. */
const PAGE_SIZE = 1000;
/** Time limit for finding a snapshot, milliseconds. After it, the full stream is read. */
const SNAPSHOT_TIMEOUT_MS = 1_000;
/** Maximum number of decisions of one command. Each one after the first follows a write of another instance. */
const MAX_DECISIONS = 50;
/** The error of a spent budget, which says more, arrives before that of the deadline (milliseconds). */
const BUDGET_GRACE_MS = 300;
/** Pauses before the same events are sent again after a missing answer, milliseconds. */
const RESEND_AFTER_MS = [0, 100];

/**
 * Other instances kept writing to the account while this command was tried. Nothing was written. The caller may repeat
 * the command.
 */
export class AccountBusyError extends DomainError {
  constructor() {
    super('unavailable', 'Your account is busy and nothing was done. Please try again in a moment.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Injection token of `AccountStoreSettings`. Missing settings have their defaults. */
const ACCOUNT_STORE_SETTINGS = Symbol('ACCOUNT_STORE_SETTINGS');

export interface AccountStoreSettings {
  /**
   * Time limit of a command including its wait, milliseconds. The rest of the request's database budget may be shorter.
   */
  readonly deadlineMs: number;
  /** Estimated memory for idle accounts, bytes. Accounts with commands in progress are not counted. */
  readonly cacheBytes: number;
}

const DEFAULT_ACCOUNT_STORE_SETTINGS: AccountStoreSettings = { deadlineMs: 4_800, cacheBytes: 64_000_000 };

/**
 * Executes commands on accounts, one after the other per account. While an append is in flight, the next commands are
 * decided optimistically, against the pending state, and then appended together. The state stays in memory at its
 * version, so a command costs one round trip. The compare-and-set of the append detects writes of other instances.
 */
@Injectable()
export class AccountStore {
  private readonly settings: AccountStoreSettings;
  private readonly cache: AccountCache;
  /** Commands without an answer. */
  private readonly inFlight: Deadlines<PendingCommand>;

  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    @Optional() private readonly snapshots?: AccountSnapshots,
    @Optional() @Inject(ACCOUNT_STORE_SETTINGS) settings?: Partial<AccountStoreSettings>,
  ) {
    this.settings = { ...DEFAULT_ACCOUNT_STORE_SETTINGS, ...settings };
    this.cache = new AccountCache(this.settings.cacheBytes);
    this.inFlight = new Deadlines((command) => command.failLate(new Error('The command reached its deadline.')));
  }

  /** Idle accounts in memory: their number and estimated size. */
  get cached(): { readonly accounts: number; readonly bytes: number } {
    return this.cache.size;
  }

  /**
   * Executes one command after all earlier commands of the same account.
   * @param answerOf runs right after the decision and must not keep the state, which changes later
   * @throws any error of `decide`, which refuses the command
   * @throws AccountBusyError when other instances kept writing to the account
   * @throws UnknownOutcomeError when the store did not answer; the command is idempotent and may be repeated
   * @throws EventStoreUnavailableError when the store is unavailable; nothing was written
   * @throws AccountDeletedError when the account's stream was deleted; nothing was written
   */
  execute<Answer = undefined>(
    userId: string,
    origin: CommandOrigin,
    decide: Decide,
    answerOf?: AnswerOf<Answer>,
  ): Promise<Execution<Answer>> {
    return new Promise((resolve, reject) => {
      const queue = this.cache.queueOf(userId);
      const command = new PendingCommand(
        queue.stream,
        origin,
        this.ids.next(),
        decide,
        answerOf,
        performance.now() + Math.min(this.settings.deadlineMs, databaseTimeLeft() + BUDGET_GRACE_MS),
        this.inFlight,
        resolve as (execution: Execution<unknown>) => void,
        reject,
      );
      queue.waiting.push(command);
      if (queue.busy && !queue.shared) this.decideWaiting(queue);
      else if (!queue.busy) void this.drain(queue);
    });
  }

  /** Reads the current state of the account, with a command that writes nothing. */
  async read<Answer>(userId: string, answerOf: AnswerOf<Answer>): Promise<Answer> {
    const { answer } = await this.execute(userId, { actorId: userId }, decideNothing, answerOf);
    return answer;
  }

  /**
   * The answer of the account as it is in memory, at no cost; undefined when it is not there. Another instance may have
   * changed the account since.
   */
  peek<Answer>(userId: string, answerOf: AnswerOf<Answer>): Answer | undefined {
    const state = this.cache.find(userId);
    return state && answerOf(state, accountTime(state, this.clock.now()), []);
  }

  /** Folds an account's stream from its first event and passes each event to `onEvent`. */
  async load(userId: string, onEvent?: (event: CreditEvent) => void): Promise<LoadedAccount> {
    const account: LoadedAccount = {
      state: emptyAccount(),
      version: NO_STREAM,
      lastHash: null,
      snapshotVersion: NO_STREAM,
      recentlyEnded: [],
      newestEnded: null,
    };
    await this.foldTail(account, accountStream(userId), onEvent);
    return account;
  }

  /** Like `load`, but starts at the latest snapshot if the stream contains the last event of that snapshot. */
  private async loadFromSnapshot(userId: string): Promise<LoadedAccount> {
    const account = this.snapshots ? await within(SNAPSHOT_TIMEOUT_MS, this.snapshots.find(userId), () => null) : null;
    if (account && (await this.foldTail(account, accountStream(userId)))) return account;
    return this.load(userId);
  }

  /** Executes commands until the queue is empty. Never throws: an error is the answer to the affected commands. */
  private async drain(queue: AccountQueue): Promise<void> {
    const { userId, stream } = queue;
    this.cache.begin(queue);
    while (!queue.empty) {
      const { toLookAt } = queue;
      if (!queue.account && !(await this.loadInto(queue))) continue;
      if (toLookAt && !(await this.foldNew(queue, toLookAt))) continue;
      this.decideWaiting(queue);
      const batch = queue.takeBatch();
      if (batch.length === 0) continue;
      if (batch.some(({ command }) => command.answered)) {
        // A command that timed out was answered "nothing was written", so its events must not be written. Later
        // decisions depend on these events and are discarded too.
        queue.discardDecisions(batch);
        continue;
      }
      const events = batch.flatMap(({ newEvents }) => newEvents);
      let position: string | null = null;
      try {
        if (events.length > 0) {
          // The compare-and-set also confirms the refusals in the batch.
          for (const { command, events: own } of batch) command.sent = own.length > 0;
          const result = await this.append(queue, events, batch);
          if (!result) {
            this.retryAfterConflict(queue, batch);
            continue;
          }
          ({ position } = result);
          queue.storedVersion += events.length;
        } else if (
          batch.some(({ command }) => !command.loadedAfterArrival) &&
          (await this.hasNewEvents(stream, queue.storedVersion))
        ) {
          // Without an append, no compare-and-set confirms the refusals and repeats of the batch. They are valid only
          // if the stream has no new events.
          this.retryAfterConflict(queue, batch);
          continue;
        }
      } catch (error) {
        this.handleFailure(queue, batch, accountError(error));
        continue;
      }
      if (queue.oneByOne > 0) queue.oneByOne -= 1;
      this.resolve(queue, batch, position);
      if (queue.account?.version === queue.storedVersion) this.snapshots?.offer(userId, queue.account);
    }
    queue.oneByOne = 0;
    this.cache.end(queue);
  }

  /** @returns false when the load failed; all commands that waited for it were answered with the error */
  private loadInto(queue: AccountQueue): Promise<boolean> {
    const { userId } = queue;
    return this.readFor(queue, async () => {
      queue.setLoaded(await (queue.requiresFullReplay ? this.load(userId) : this.loadFromSnapshot(userId)));
      return true;
    });
  }

  /** Folds what other instances have stored. @returns false when it failed, or when the account must be loaded */
  private foldNew(queue: AccountQueue, account: LoadedAccount): Promise<boolean> {
    return this.readFor(queue, async () => {
      const continues = await this.foldTail(account, queue.stream);
      if (continues) queue.setLookedAt(account);
      else queue.account = null;
      return continues;
    });
  }

  /** @returns false when the read failed; all commands that waited for it were answered with the error */
  private async readFor(queue: AccountQueue, read: () => Promise<boolean>): Promise<boolean> {
    const waiting = queue.waiting.length;
    for (const command of queue.waiting) command.loadedAfterArrival = true;
    try {
      return await read();
    } catch (error) {
      const failure = accountError(error);
      for (const command of queue.waiting.splice(0, waiting)) command.fail(failure);
      // A part of the events may be folded.
      queue.account = null;
      return false;
    }
  }

  /**
   * Decides the waiting commands in order, each on the state after the previous one. Does nothing until the account is
   * loaded.
   */
  private decideWaiting(queue: AccountQueue): void {
    const { account, oneByOne, decided } = queue;
    if (!account || (oneByOne > 0 && decided.length > 0)) return;
    const commands = queue.waiting.splice(0, oneByOne > 0 ? 1 : Infinity);
    const now = this.clock.now();
    for (const [index, command] of commands.entries()) {
      if (command.answered) {
        queue.oneByOne = Math.max(0, queue.oneByOne - 1);
        continue;
      }
      try {
        decided.push(this.decide(queue.stream, account, command, now));
      } catch (error) {
        queue.requeueFirst(commands.slice(index));
        this.handleFailure(queue, [], error as Error, command);
        return;
      }
    }
  }

  /**
   * Decides one command and applies its events to the account as if they were stored.
   * @throws DeductionNotLoadedError when the snapshot omitted a deduction that the command needs
   * @throws any error other than a refusal; the account must then be discarded
   */
  private decide(stream: string, account: LoadedAccount, command: PendingCommand, now: Date): Decision {
    let at: number;
    let events: CreditEvent[];
    let newEvents: NewEvent[];
    try {
      events = command.decide(account.state, now);
      at = timeOfEvents(account.state, now, events);
      newEvents = this.toNewEvents(stream, account, events, command, at);
    } catch (error) {
      if (error instanceof DeductionNotLoadedError) throw error;
      return new Decision(command, error as Error);
    }
    const instant = new Date(at);
    const firstVersion = account.version + 1;
    for (const event of events) {
      evolve(account.state, event, instant);
      recordEnded(account, event);
    }
    account.version += newEvents.length;
    account.lastHash = (newEvents.at(-1)?.metadata['hash'] as string | undefined) ?? account.lastHash;
    return new Decision(command, null, events, newEvents, command.answerOf?.(account.state, at, events), firstVersion);
  }

  /** @returns null when another instance wrote to the account first; nothing of this batch is stored then */
  private async append(
    { stream, storedVersion }: AccountQueue,
    events: readonly NewEvent[],
    batch: readonly Decision[],
  ): Promise<AppendResult | null> {
    try {
      return await this.eventStore.append(stream, storedVersion, events);
    } catch (error) {
      return this.appendAgain(stream, storedVersion, events, batch, error);
    }
  }

  /**
   * Another instance wrote to the account: decides all commands again, on the account with the new events. It is loaded
   * only if it has events of decisions that were not stored.
   */
  private retryAfterConflict(queue: AccountQueue, batch: readonly Decision[]): void {
    const { stored } = queue;
    for (const { command } of batch) {
      command.conflicts += 1;
      if (command.conflicts === MAX_DECISIONS) command.fail(new AccountBusyError());
    }
    queue.discardDecisions(batch);
    queue.account = stored;
    queue.setShared();
  }

  /**
   * Handles an error that is not a refusal. An error of the store fails the batch. After any other error, the commands
   * are tried one by one, so that only the command that causes the error fails.
   * @param deciding the command whose decision failed
   */
  private handleFailure(
    queue: AccountQueue,
    batch: readonly Decision[],
    error: Error,
    deciding?: PendingCommand,
  ): void {
    const isStoreError = [UnknownOutcomeError, EventStoreUnavailableError, AccountDeletedError].some(
      (type) => error instanceof type,
    );
    if (isStoreError) for (const { command } of batch) command.fail(error);
    queue.discardDecisions(batch);
    if (isStoreError) return;
    // The cause is known only when a command ran alone. Otherwise, all commands are retried one by one.
    const culprit = batch.length === 1 ? batch[0]?.command : queue.oneByOne > 0 ? deciding : undefined;
    if (error instanceof DeductionNotLoadedError && !queue.requiresFullReplay) queue.requiresFullReplay = true;
    else if (culprit) queue.reject(culprit, error);
    else queue.oneByOne = queue.waiting.length;
  }

  /** Answers the commands of an append. When others wait, their append is sent first. */
  private resolve(queue: AccountQueue, batch: readonly Decision[], position: string | null): void {
    const resolveAll = (): void => {
      for (const decision of batch) decision.resolve(position);
    };
    if (queue.empty) resolveAll();
    // The event store sends appends at the end of a turn of the event loop.
    else setImmediate(() => setImmediate(resolveAll));
  }

  /** Gives each event an id and chains its hash to the event before it. */
  private toNewEvents(
    stream: string,
    { version: before, lastHash }: LoadedAccount,
    events: readonly CreditEvent[],
    { origin, commandId }: PendingCommand,
    at: number,
  ): NewEvent[] {
    if (events.length === 0) return [];
    const { actorId, correlationId = commandId, causationId = commandId } = origin;
    const occurredAt = new Date(at).toISOString();
    let previous = lastHash;
    return events.map(({ type, data }, index) => {
      const id = this.ids.next();
      // Keys in canonical order: the hash covers the canonical form.
      const metadata: JsonObject = { actorId, causationId, correlationId, eventId: id, occurredAt };
      const { hash, json } = chainEvent(previous, { stream, version: before + 1 + index, id, type, data, metadata });
      previous = hash;
      return { id, type, data, metadata, json };
    });
  }

  /**
   * Repeats a failed append with the same events until it has an answer. The store recognises the events by their ids.
   * @returns null when another instance wrote first; none of these events is stored then
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
    for (let attempt = 0; ; attempt += 1) {
      if (error instanceof UnknownOutcomeError) unknown = error;
      else if (error instanceof WrongExpectedVersionError) {
        // A store may recognise ids for a limited time only, so look for the events.
        const found = unknown && (await this.findStored(stream, expected, events, unknown));
        if (found) return found;
        return null;
      } else if (!unknown) throw error;
      // Another error of a later attempt reveals nothing about the first one: the outcome stays unknown.
      const pause = RESEND_AFTER_MS[attempt];
      const deadline = Math.min(...decisions.map(({ command }) => command.deadline));
      if (pause === undefined || performance.now() + pause >= deadline) throw unknown;
      await delay(pause);
      try {
        return await this.eventStore.append(stream, expected, events);
      } catch (next) {
        error = next;
      }
    }
  }

  /** Version and position of these events if the unanswered append stored them; otherwise null. */
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

  private async hasNewEvents(stream: string, version: number): Promise<boolean> {
    return (await this.eventStore.readStream(stream, { fromVersion: version + 1, limit: 1 })).length > 0;
  }

  /**
   * Folds the events after the account's version.
   * @returns false when the event at that version differs from the last event of the account
   */
  private async foldTail(
    account: LoadedAccount,
    stream: string,
    onEvent?: (event: CreditEvent) => void,
  ): Promise<boolean> {
    let fromVersion = Math.max(account.version, 0);
    let page: StoredEvent[];
    do {
      page = await this.eventStore.readStream(stream, { fromVersion, limit: PAGE_SIZE });
      for (const stored of page) {
        const hash = (stored.metadata['hash'] as string | undefined) ?? null;
        if (stored.version === account.version) {
          if (hash === account.lastHash) continue;
          return false;
        }
        const event = readCreditEvent(stored);
        evolve(account.state, event, occurredAt(stored));
        recordEnded(account, event);
        onEvent?.(event);
        account.version = stored.version;
        account.lastHash = hash;
      }
      // The last event of a snapshot must exist.
      if (page.length === 0 && fromVersion === account.version) return false;
      fromVersion = account.version + 1;
    } while (page.length === PAGE_SIZE);
    return true;
  }
}

const decideNothing: Decide = () => [];

/** When the event was decided, in account time. */
export function occurredAt(event: StoredEvent): Date {
  return new Date(event.metadata['occurredAt'] as string);
}
