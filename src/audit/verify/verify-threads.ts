import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Pool } from 'pg';
import { SERVER_FOLDER } from '../../platform/server-folder.js';
import { type PlannedAccount } from './account-verifier.js';
import { type RepairedClock } from './event-times.js';
import { type ChecksPart } from './ledger-checks.js';
import { type Report } from './problem-reports.js';
import {
  type LedgerAddress,
  type ThreadAnswer,
  type ThreadMessage,
  type ThreadStart,
  type ThreadTask,
} from './thread-messages.js';

/** Threads, including the main thread. */
const MOST_THREADS = 4;
/**
 * Memory of each other thread, so that the process stays below 500 MB. A large young generation would only hold more
 * garbage. The old one holds the largest account and the sums of creators.
 */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 256 };
/** Events from which another thread saves more time than it needs to start. */
const WORTHWHILE_EVENTS = 20_000;
const WORKER = new URL('audit/verify/verify-worker.js', SERVER_FOLDER);

/** How the work is divided. */
export interface ThreadSettings {
  /** Where the other threads find the same data. */
  readonly address: LedgerAddress;
  /** Threads, including the main thread; by default one for each core, at most four. */
  readonly count?: number;
  /** Events from which there are other threads. */
  readonly fromEvents?: number;
  /** Events of the accounts that a thread takes at once. */
  readonly groupEvents?: number;
  /** False leaves the accounts to the other threads; a test can then rely on them. */
  readonly mainVerifies?: boolean;
  /** The compiled file of the other threads; by default the one of the build. */
  readonly worker?: URL;
}

/** Receives the findings of a thread. */
interface ThreadListener {
  readonly onProblem: Report;
  readonly onRepair: (repair: RepairedClock) => void;
}

/** The number of threads besides the main thread that the ledger is worth. */
export async function threadsFor(pool: Pool, settings: ThreadSettings): Promise<number> {
  const { count = Math.min(availableParallelism(), MOST_THREADS), fromEvents = WORTHWHILE_EVENTS } = settings;
  return count > 1 && (await hasEvents(pool, fromEvents)) ? count - 1 : 0;
}

/** Whether the projected accounts have so many events. Reads at most as many rows. */
async function hasEvents(pool: Pool, events: number): Promise<boolean> {
  const { rows } = await pool.query<{ enough: boolean }>(
    `select coalesce(sum(version + 1), 0) >= $1::bigint as enough
     from (select version from credit_balance limit $1::bigint) as account`,
    [events],
  );
  return rows[0]?.enough ?? false;
}

/** Verifies groups of accounts in another thread. When the thread fails, every promise rejects with its error. */
export class VerifierThread {
  /** The last answer. */
  answer: ThreadAnswer | null = null;
  /** Resolves when the thread has started. */
  readonly ready: Promise<unknown>;
  private readonly worker: Worker;
  private readonly waiting = new Map<
    number,
    { readonly resolve: (answer: ThreadAnswer) => void; readonly reject: (error: unknown) => void }
  >();
  private tasks = 0;
  private failure: { readonly error: unknown } | null = null;

  constructor(start: ThreadStart, listener: ThreadListener, { worker = WORKER }: ThreadSettings) {
    this.worker = new Worker(worker, { workerData: start, resourceLimits: LIMITS });
    this.worker.on('message', (message: ThreadMessage) => {
      if (message.type === 'problem') listener.onProblem(message.problem);
      else if (message.type === 'repair') listener.onRepair(message.repair);
      else this.receive(message.id, message.answer);
    });
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error('A thread of the verification has ended.')));
    this.ready = this.ask({ type: 'begin' });
  }

  async verify(accounts: readonly PlannedAccount[]): Promise<void> {
    await this.ask({ type: 'verify', accounts });
  }

  /** Closes the connections of the thread and ends it. @returns what it has collected */
  async end(): Promise<ChecksPart> {
    const { part } = await this.ask({ type: 'end' });
    await this.stop();
    if (!part) throw new Error('A thread of the verification has returned no result.');
    return part;
  }

  /** Ends the thread at once, also in the middle of its work. */
  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private ask(task: ThreadTask): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      if (this.failure) throw this.failure.error;
      this.tasks += 1;
      this.waiting.set(this.tasks, { resolve, reject });
      this.worker.postMessage({ id: this.tasks, task });
    });
  }

  private receive(id: number, answer: ThreadAnswer): void {
    this.answer = answer;
    this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    for (const { reject } of this.waiting.values()) reject(this.failure.error);
    this.waiting.clear();
  }
}
