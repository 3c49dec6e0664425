import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import {
  EventStore,
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
import { accountTime, emptyAccount, evolve, type AccountState } from './account.js';
import { AccountBusyError } from './commands.js';
import { accountStream, readCreditEvent, type CreditEvent } from './events.js';

/** Events read at once. */
const PAGE = 1000;
/** Decisions about one command, each after somebody else's write. In one process commands of an account queue up. */
const MAX_DECISIONS = 50;
/** Sendings of the same events while no answer comes. */
const MAX_SENDINGS = 3;

/** On whose behalf, and as part of what, a command is executed; goes into the metadata of its events. */
export interface CommandOrigin {
  /** User id, or `system` for what follows from a generation's outcome. */
  readonly actorId: string;
  /** The business process: a generation's id. Defaults to the command itself. */
  readonly correlationId?: string;
}

/** What came of a command. */
export interface Execution {
  /** The account after the command. */
  readonly state: AccountState;
  /** Instant of the account's time at which it was decided, epoch milliseconds. */
  readonly at: number;
  /** What was written; empty for a repeat. */
  readonly events: readonly CreditEvent[];
  /** Position of the last event written; null when nothing was. */
  readonly position: string | null;
}

interface LoadedAccount {
  readonly state: AccountState;
  readonly version: number;
  readonly lastHash: string | null;
}

/** Loads accounts from their streams and executes commands on them: load, decide, append at the version decided on. */
@Injectable()
export class AccountStore {
  /** End of the queue of each account that has commands under way. */
  private readonly queues = new Map<string, Promise<void>>();

  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * Executes one command after those of the same account that came before it. When another instance writes first, the
   * account is loaded and the command decided again.
   * @throws whatever `decide` throws to refuse; AccountBusyError; UnknownOutcomeError when the store did not answer (the
   *   command may be repeated: it is idempotent)
   */
  execute(
    userId: string,
    origin: CommandOrigin,
    decide: (state: AccountState, now: Date) => CreditEvent[],
  ): Promise<Execution> {
    const before = this.queues.get(userId) ?? Promise.resolve();
    const execution = before.then(() => this.loadDecideAppend(userId, origin, decide));
    const leave = (): void => {
      if (this.queues.get(userId) === end) this.queues.delete(userId);
    };
    const end: Promise<void> = execution.then(leave, leave);
    this.queues.set(userId, end);
    return execution;
  }

  /** Folds an account's stream, showing each event on the way. */
  async load(userId: string, onEvent?: (event: CreditEvent) => void): Promise<LoadedAccount> {
    const state = emptyAccount();
    let last: StoredEvent | undefined;
    let page: StoredEvent[];
    do {
      page = await this.eventStore.readStream(accountStream(userId), {
        fromVersion: last ? last.version + 1 : 0,
        limit: PAGE,
      });
      for (const stored of page) {
        const event = readCreditEvent(stored);
        evolve(state, event, occurredAt(stored));
        onEvent?.(event);
      }
      last = page.at(-1) ?? last;
    } while (page.length === PAGE);
    return {
      state,
      version: last?.version ?? NO_STREAM,
      lastHash: (last?.metadata.hash as string | undefined) ?? null,
    };
  }

  private async loadDecideAppend(
    userId: string,
    origin: CommandOrigin,
    decide: (state: AccountState, now: Date) => CreditEvent[],
  ): Promise<Execution> {
    const commandId = this.ids.next();
    for (let decisions = 0; decisions < MAX_DECISIONS; decisions += 1) {
      const account = await this.load(userId);
      const now = this.clock.now();
      const at = accountTime(account.state, now);
      const events = decide(account.state, now);
      if (events.length === 0) return { state: account.state, at, events, position: null };
      const metadata = {
        correlationId: origin.correlationId ?? commandId,
        causationId: commandId,
        actorId: origin.actorId,
        occurredAt: new Date(at).toISOString(),
      };
      try {
        const stream = accountStream(userId);
        const { position } = await this.append(stream, account.version, this.seal(stream, account, events, metadata));
        for (const event of events) evolve(account.state, event, new Date(at));
        return { state: account.state, at, events, position };
      } catch (error) {
        if (!(error instanceof WrongExpectedVersionError)) throw error;
      }
    }
    throw new AccountBusyError(userId);
  }

  /** Gives each event its id and chains its hash to that of the event before it. */
  private seal(stream: string, account: LoadedAccount, events: readonly CreditEvent[], common: JsonObject): NewEvent[] {
    let { version, lastHash } = account;
    return events.map(({ type, data }) => {
      const id = this.ids.next();
      const metadata = { eventId: id, ...common };
      version += 1;
      lastHash = eventHash(lastHash, { stream, version, id, type, data, metadata });
      return { id, type, data, metadata: { ...metadata, hash: lastHash } };
    });
  }

  /** Sends the same events again when no answer came: the store knows them by their ids. */
  private async append(stream: string, expectedVersion: number, events: NewEvent[]): Promise<AppendResult> {
    for (let sendings = 1; ; sendings += 1) {
      try {
        return await this.eventStore.append(stream, expectedVersion, events);
      } catch (error) {
        if (!(error instanceof UnknownOutcomeError) || sendings === MAX_SENDINGS) throw error;
      }
    }
  }
}

/** When the event was decided, by the account's time. */
export function occurredAt(event: StoredEvent): Date {
  return new Date(event.metadata.occurredAt as string);
}
