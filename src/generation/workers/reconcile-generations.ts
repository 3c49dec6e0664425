import { Injectable } from '@nestjs/common';
import { DueWork } from '../../platform/due-work.js';
import { Locks } from '../../platform/locks.js';
import { ScheduledWorker } from '../../platform/scheduled-worker.js';
import { generationIsDue, GenerationRows } from '../rows/generation-rows.js';
import { GenerationWorker } from '../steps/generation-worker.js';

const GENERATIONS_PER_RUN = 200;

/**
 * Finds generations with work left and no holder: failed and not refunded, completed and not settled, pending without
 * a prediction, pending too long, lost webhook, interrupted work. Runs at the start and when rows are due, on one
 * instance at a time.
 */
@Injectable()
export class GenerationReconciler extends ScheduledWorker {
  protected override readonly failure = 'Reconciling generations failed; it is retried in two seconds.';

  constructor(
    private readonly rows: GenerationRows,
    private readonly worker: GenerationWorker,
    private readonly locks: Locks,
    dueWork: DueWork,
  ) {
    super();
    dueWork.add(generationIsDue, () => this.tick());
  }

  protected override work(): Promise<void> {
    return this.sweep();
  }

  /** Hands all due rows to the worker. */
  async sweep(): Promise<void> {
    // Most often none is due, and asking for the lock costs more than the look.
    if ((await this.rows.dueIds(1)).length === 0) return;
    await this.locks.withLock('generation-reconciler', async () => {
      for (const id of await this.rows.dueIds(GENERATIONS_PER_RUN)) this.worker.kick(id);
    });
  }
}
