import { accountStream } from '../account/events.js';
import { type AccountState } from '../account/state.js';
import { AccountQueue } from './account-queue.js';
import { BYTES_PER_ENTRY, estimateBytes, type LoadedAccount } from './loaded-account.js';

/** Number of events between two measurements of an account. Measuring is slow compared with a command. */
const MEASURE_EVERY = 16;

/**
 * The accounts in memory: all with commands in progress, and as many idle ones as fit. CLOCK eviction: clear the used
 * bit; evict if already clear. `lru-cache` was measured: it cannot pin busy accounts, and moving them in and out adds 2
 * µs to a command.
 */
export class AccountCache {
  private readonly queues = new Map<string, AccountQueue>();
  private hand: Iterator<AccountQueue, undefined> | null = null;
  private idle = 0;
  private idleBytes = 0;

  /** @param maxBytes limit for idle accounts */
  constructor(private readonly maxBytes: number) {}

  /** Idle accounts: their number and estimated size. */
  get size(): { readonly accounts: number; readonly bytes: number } {
    return { accounts: this.idle, bytes: this.idleBytes };
  }

  /** The account's queue. Creates one without a loaded account when it is not in memory. */
  queueOf(userId: string): AccountQueue {
    const known = this.queues.get(userId);
    if (known) return known;
    const queue = new AccountQueue(userId, accountStream(userId));
    this.queues.set(userId, queue);
    return queue;
  }

  /** The account's state, if it is in memory. */
  find(userId: string): AccountState | undefined {
    return this.queues.get(userId)?.account?.state;
  }

  /** Marks the account as busy. A busy account is not evicted. */
  begin(queue: AccountQueue): void {
    if (queue.measured) {
      this.idle -= 1;
      this.idleBytes -= queue.bytes;
    }
    queue.busy = true;
    queue.used = true;
  }

  /** Marks the account as idle. Evicts idle accounts while they exceed the limit. */
  end(queue: AccountQueue): void {
    queue.busy = false;
    if (!queue.account) {
      this.queues.delete(queue.userId);
      return;
    }
    measure(queue, queue.account);
    this.idle += 1;
    this.idleBytes += queue.bytes;
    this.evict();
  }

  private evict(): void {
    while (this.idleBytes > this.maxBytes) {
      this.hand ??= this.queues.values();
      const { value: queue } = this.hand.next();
      if (!queue) this.hand = null;
      else if (queue.busy) continue;
      else if (queue.used) queue.used = false;
      else {
        this.queues.delete(queue.userId);
        this.idle -= 1;
        this.idleBytes -= queue.bytes;
      }
    }
  }
}

/** Measures every `MEASURE_EVERY` events. In between, each event counts as one entry. */
function measure(queue: AccountQueue, { version, state }: LoadedAccount): void {
  const events = version - (queue.measured?.version ?? 0);
  if (!queue.measured || events < 0 || events >= MEASURE_EVERY) {
    queue.measured = { version, bytes: estimateBytes(state) };
    queue.bytes = queue.measured.bytes;
  } else queue.bytes = queue.measured.bytes + events * BYTES_PER_ENTRY;
}
