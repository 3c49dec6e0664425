import { AccountQueue } from './account-queue.js';
import { accountStream } from '../account/events.js';
import { BYTES_OF_ENTRY, estimateBytes, type LoadedAccount } from './loaded-account.js';

/** Events after which an account is measured again: looking at all its parts takes long compared with what else a command does. */
const MEASURE_EVERY = 16;

/**
 * The accounts in memory: those that commands are under way for, and of the others as many as fit. Those not used for long go first: a
 * hand goes round, takes the mark of use off whoever has it and whoever has none away.
 */
export class AccountCache {
  private readonly queues = new Map<string, AccountQueue>();
  private hand: Iterator<AccountQueue, undefined> | null = null;
  private idle = 0;
  private held = 0;

  /** @param mostBytes for accounts that no command is under way for */
  constructor(private readonly mostBytes: number) {}

  /** Accounts that no command is under way for: how many, and what they take by estimate. */
  get size(): { readonly accounts: number; readonly bytes: number } {
    return { accounts: this.idle, bytes: this.held };
  }

  /** The account's queue; new, and without an account, when it is not in memory. */
  queueOf(userId: string): AccountQueue {
    const known = this.queues.get(userId);
    if (known) return known;
    const queue = new AccountQueue(userId, accountStream(userId));
    this.queues.set(userId, queue);
    return queue;
  }

  /** Commands are under way for it: it stays, whatever it takes. */
  begin(queue: AccountQueue): void {
    if (queue.measured) {
      this.idle -= 1;
      this.held -= queue.bytes;
    }
    queue.busy = true;
    queue.used = true;
  }

  /** No command is under way for it any more. */
  end(queue: AccountQueue): void {
    queue.busy = false;
    if (!queue.account) {
      this.queues.delete(queue.userId);
      return;
    }
    measure(queue, queue.account);
    this.idle += 1;
    this.held += queue.bytes;
    this.makeRoom();
  }

  private makeRoom(): void {
    while (this.held > this.mostBytes) {
      this.hand ??= this.queues.values();
      const { value: queue } = this.hand.next();
      if (!queue) this.hand = null;
      else if (queue.busy) continue;
      else if (queue.used) queue.used = false;
      else {
        this.queues.delete(queue.userId);
        this.idle -= 1;
        this.held -= queue.bytes;
      }
    }
  }
}

/** Exactly once in a while; in between each event counts for an entry. */
function measure(queue: AccountQueue, { version, state }: LoadedAccount): void {
  const events = version - (queue.measured?.version ?? 0);
  if (!queue.measured || events < 0 || events >= MEASURE_EVERY) {
    queue.measured = { version, bytes: estimateBytes(state) };
    queue.bytes = queue.measured.bytes;
  } else queue.bytes = queue.measured.bytes + events * BYTES_OF_ENTRY;
}
