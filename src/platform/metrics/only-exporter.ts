import { type HeldLock, type Locks } from '../locks.js';
import { type Exporter } from './metrics.js';

const LOCK = 'metrics';

/**
 * Lets one process at a time show the metrics of the database, so that sums over all processes are right. The first one
 * that is scraped takes a lock and keeps it until it stops. Then the next scrape of another one takes it.
 */
export class OnlyExporter implements Exporter {
  private readonly stopping = new AbortController();
  private held: HeldLock | null = null;
  private taking: Promise<boolean> | null = null;

  constructor(private readonly locks: Locks) {}

  /** @throws the error of the database */
  async exportsShared(): Promise<boolean> {
    if (this.held) return true;
    return (this.taking ??= this.take().finally(() => (this.taking = null)));
  }

  /** Gives the lock back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.taking?.catch(() => undefined); // its scrape has the error
    await this.held?.ended;
  }

  private async take(): Promise<boolean> {
    const { signal } = this.stopping;
    if (signal.aborted) return false;
    const held = await this.locks.hold(LOCK, signal);
    this.held = held;
    void held?.ended.then(() => (this.held = null));
    return held !== null;
  }
}
