import { Injectable, Logger } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { Locks } from '../../platform/locks.js';
import { GenerationRows } from '../generation-rows.js';
import { GenerationWorker } from './generation-worker.js';

const INTERVAL_MS = 2_000;
const BATCH = 200;

/**
 * Finds generations with work left and no holder: failed and not refunded, completed and not settled, pending without
 * a prediction, pending too long, lost webhook, interrupted work. Runs at the start and every two seconds, on one
 * instance at a time.
 */
@Injectable()
export class GenerationReconciler {
  private readonly logger = new Logger(GenerationReconciler.name);

  constructor(
    private readonly rows: GenerationRows,
    private readonly worker: GenerationWorker,
    private readonly locks: Locks,
  ) {}

  /** The first run, once the app has started. */
  @Timeout('generation-reconciler-start', 0)
  start(): Promise<void> {
    return this.tick();
  }

  @Interval('generation-reconciler', INTERVAL_MS)
  async tick(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.error('Reconciling generations failed; it is retried in two seconds.', { error });
    }
  }

  /** Hands all due rows to the worker. */
  async sweep(): Promise<void> {
    // Most often none is due, and asking for the lock costs more than the look.
    if ((await this.rows.due(1)).length === 0) return;
    await this.locks.withLock('generation-reconciler', async () => {
      for (const id of await this.rows.due(BATCH)) this.worker.kick(id);
    });
  }
}
