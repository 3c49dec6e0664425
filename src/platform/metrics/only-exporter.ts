import { type HeldLock, type Locks } from '../locks.js';
import { within } from '../within.js';
import { type Exporter } from './metrics.js';

const LOCK = 'metrics';
/** A scrape waits for the lock for at most this time: the metrics of the process matter most without a database. */
const WAIT_MS = 2_000;

/** A process that no one scrapes for this time gives the lock back, milliseconds. */
const UNSCRAPED_MS = 120_000;

/**
 * Lets one process at a time show the metrics of the database, so that sums over all processes are right. The first one
 * that is scraped takes a lock and keeps it until it stops or is scraped no more. Then the next scrape of another one
 * takes it.
 */
export class OnlyExporter implements Exporter {
  private readonly stopping = new AbortController();
  private heldLock: HeldLock | null = null;
  private unscraped: NodeJS.Timeout | undefined;
  private taking: Promise<boolean> | null = null;

  constructor(
    private readonly locks: Locks,
    private readonly waitMs = WAIT_MS,
    private readonly unscrapedMs = UNSCRAPED_MS,
  ) {}

  /** @throws the error of the database; an Error when it does not answer in time */
  async exportsShared(): Promise<boolean> {
    this.unscraped?.refresh();
    if (this.heldLock) return true;
    this.taking ??= this.take().finally(() => (this.taking = null));
    return within(this.waitMs, this.taking, () => {
      throw new Error('The database does not answer.');
    });
  }

  /** Gives the lock back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.taking?.catch(() => undefined); // its scrape has the error
    await this.heldLock?.ended;
  }

  private async take(): Promise<boolean> {
    const { signal } = this.stopping;
    if (signal.aborted) return false;
    const quiet = new AbortController();
    const lock = await this.locks.hold(LOCK, AbortSignal.any([signal, quiet.signal]));
    if (!lock) return false;
    this.heldLock = lock;
    this.unscraped = setTimeout(() => quiet.abort(), this.unscrapedMs).unref();
    void lock.ended.then(() => {
      clearTimeout(this.unscraped);
      this.heldLock = null;
    });
    return true;
  }
}
