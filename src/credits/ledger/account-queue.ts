import { NO_STREAM } from '../../platform/event-store/event-store.js';
import type { LoadedAccount } from './loaded-account.js';
import type { Decision, PendingCommand } from './pending-command.js';

/** Maximum number of commands of one account in one append. */
const MAX_BATCH = 256;
/** Up to this number of commands go into one append and are never split. */
const MIN_SPLIT = 16;
/** Looks at the stream without a new event, after which other instances are no longer expected to write to it. */
const QUIET_LOOKS = 16;

/**
 * The pending commands of one account in the order of arrival. Commands that arrive while an append is in flight are
 * decided optimistically, against the pending state. If the append fails, they are decided again.
 */
export class AccountQueue {
  // These arrays are emptied and never replaced: an old array keeps its elements alive for the garbage collector.
  /** Commands without a decision. */
  readonly waiting: PendingCommand[] = [];
  /** Decisions that are not sent yet. Each one builds on the state after the one before. */
  readonly decided: Decision[] = [];
  /** The account after the last decision; null when it must be loaded. */
  account: LoadedAccount | null = null;
  /** Version of the last event known to be stored. `account.version` is higher while decisions are pending. */
  storedVersion = NO_STREAM;
  /** True while commands are in progress. */
  busy = false;
  /** The snapshot was not sufficient: load the full stream. */
  requiresFullReplay = false;
  /** Looks until other instances are no longer expected to write to the account. */
  private looksLeft = 0;
  /** The number of next commands to execute one by one, to find the one that fails. */
  oneByOne = 0;
  /** Size of the latest batch. */
  private lastBatchSize = 0;
  /** The CLOCK bit of `AccountCache`. */
  used = false;
  /** Estimated memory when no command is in progress. */
  bytes = 0;
  /** The latest exact measurement. */
  measured: { readonly bytes: number; readonly version: number } | null = null;

  constructor(
    readonly userId: string,
    readonly stream: string,
  ) {}

  get empty(): boolean {
    return this.waiting.length === 0 && this.decided.length === 0;
  }

  /** Other instances write to the account: commands are decided after a look at the stream, not during an append. */
  get shared(): boolean {
    return this.looksLeft > 0;
  }

  /** The account as stored, without events of decisions; null when there is none. */
  get stored(): LoadedAccount | null {
    return this.account?.version === this.storedVersion ? this.account : null;
  }

  /** The account that may lack events of other instances and on which nothing is decided; null when there is none. */
  get toLookAt(): LoadedAccount | null {
    return this.shared && this.decided.length === 0 ? this.stored : null;
  }

  /** Another instance has written to the account. */
  setShared(): void {
    this.looksLeft = QUIET_LOOKS;
  }

  /** Takes over the version of the stored account after a look at the stream. */
  setLookedAt(account: LoadedAccount): void {
    if (account.version > this.storedVersion) this.setShared();
    else this.looksLeft -= 1;
    this.storedVersion = account.version;
  }

  setLoaded(account: LoadedAccount): void {
    this.account = account;
    this.storedVersion = account.version;
    this.measured = null;
  }

  /**
   * Removes the decisions for the next append. A large queue is split in half, where the latest batch counts as part of
   * the queue because as many commands are likely to return: this process then decides one half while the database
   * writes the other.
   */
  takeBatch(): readonly Decision[] {
    const half = Math.ceil((this.decided.length + this.lastBatchSize) / 2);
    const size = this.oneByOne > 0 ? 1 : Math.min(MAX_BATCH, Math.max(MIN_SPLIT, half));
    const batch = this.decided.splice(0, size);
    this.lastBatchSize = batch.length;
    return batch;
  }

  /** Discards all pending decisions and the account. The commands wait to be decided again after a load. */
  discardDecisions(batch: readonly Decision[] = []): void {
    const commands = [...batch, ...this.decided.splice(0)].map(({ command }) => command);
    for (const command of commands) command.sent = false;
    this.requeueFirst(commands.filter(({ answered }) => !answered));
    this.account = null;
  }

  /** Fails one command, which caused an error, and removes it. */
  reject(command: PendingCommand, error: Error): void {
    command.fail(error);
    const index = this.waiting.indexOf(command);
    if (index !== -1) this.waiting.splice(index, 1);
    this.oneByOne = Math.max(0, this.oneByOne - 1);
  }

  /** Puts commands in front of those that wait already. */
  requeueFirst(commands: readonly PendingCommand[]): void {
    const later = this.waiting.splice(0);
    for (const command of commands) this.waiting.push(command);
    for (const command of later) this.waiting.push(command);
  }
}
