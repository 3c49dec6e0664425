import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type ClosingStep } from '../../../contract/closing.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/durations.js';
import { DeleteExpiredPayoutRecords, ListUsedPortraits, ListWithdrawals } from '../../../creators/index.js';
import { ListHoldersOfPaidCredits, ListUnerasedProposals } from '../../../credits/index.js';
import { ListLateStyles, ListUnerasedOwners, ListUsedMedia } from '../../../generation/index.js';
import { ListUnclosedBuyers } from '../../../payments/index.js';
import { Clock } from '../../../platform/clock.js';
import { Locks } from '../../../platform/locks.js';
import { Scheduled, ScheduledWorker } from '../../../platform/scheduled-worker.js';
import { FileStorage } from '../../../platform/storage/file-storage.js';
import { ClosingMetrics } from '../closing-metrics.js';
import { ClosureRows } from '../closure-rows.js';
import { orphansOf } from '../orphans.js';
import { reopened } from '../next-step.js';
import { type ClosureRow } from '../tables.js';
import { ClosingWorker } from './closing-worker.js';

/** Finished closures that one run searches. The next run takes the next ones. */
const CHECKED_AT_ONCE = 200;

/** Longest time between the time of a new image and its storing, with a reserve. */
const START_MS = MINUTE_MS;

const MEDIA_EVERY_MS = DAY_MS;

/** Younger folders may belong to an image that is being stored. */
const MEDIA_GRACE_MS = HOUR_MS;

const MEDIA_PAGE = 500;

/**
 * Finds what closings have left: rows of closed users that came or stayed, paid credits and checkouts that arrived
 * later, and media files that a crash has left without a row. Runs every minute, on one instance at a time; the media
 * once a day.
 */
@Injectable()
@Scheduled('closing-reconciler', MINUTE_MS)
export class ClosingReconciler extends ScheduledWorker {
  protected override readonly failure = 'The search for leftovers of closings failed. The next run is in a minute.';
  private mediaNotBefore: Date;

  constructor(
    private readonly rows: ClosureRows,
    private readonly worker: ClosingWorker,
    private readonly metrics: ClosingMetrics,
    private readonly storage: FileStorage,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly locks: Locks,
    private readonly clock: Clock,
  ) {
    super();
    // A start is busy enough.
    this.mediaNotBefore = new Date(clock.now().getTime() + MEDIA_GRACE_MS);
  }

  protected override work(): Promise<unknown> {
    return this.locks.withLock('closing-reconciler', async () => {
      await this.findLeftovers();
      await this.commands.execute(new DeleteExpiredPayoutRecords());
      if (this.clock.now() < this.mediaNotBefore) return;
      this.mediaNotBefore = new Date(this.clock.now().getTime() + MEDIA_EVERY_MS);
      await this.deleteOrphanedMedia();
    });
  }

  /** Reopens the closures of which something is left, and wakes the worker. */
  async findLeftovers(): Promise<void> {
    const closures = await this.rows.takeForCheck(CHECKED_AT_ONCE);
    if (closures.length === 0) return;
    const userIds = closures.map((row) => row.user_id);
    const [content, credits, payments, styles, proposals] = await Promise.all([
      this.queries.execute(new ListUnerasedOwners({ userIds })),
      this.queries.execute(new ListHoldersOfPaidCredits({ userIds })),
      this.queries.execute(new ListUnclosedBuyers({ userIds })),
      this.ownersOfLateStyles(userIds),
      this.queries.execute(new ListUnerasedProposals({ userIds })),
    ]);
    this.metrics.found('content', content.length + styles.length + proposals.length);
    this.metrics.found('credits', credits.length);
    this.metrics.found('payments', payments.length);
    for (const closure of closures) {
      const steps = new Set<ClosingStep>([
        ...(content.includes(closure.user_id) ? (['pending', 'content'] as const) : []),
        ...(styles.includes(closure.user_id) ? (['pending', 'creator'] as const) : []),
        ...(credits.includes(closure.user_id) ? (['credits'] as const) : []),
        ...(payments.includes(closure.user_id) ? (['checkouts', 'credits', 'processor'] as const) : []),
        // With the acts of the proposal, which name the person as well.
        ...(proposals.includes(closure.user_id) ? (['content', 'identity'] as const) : []),
      ]);
      if (steps.size > 0) await this.reopen(closure, [...steps]);
    }
    this.worker.wake();
  }

  /** Users whose style has an image of a fan that began while they withdrew. */
  private async ownersOfLateStyles(userIds: readonly string[]): Promise<readonly string[]> {
    const withdrawals = await this.queries.execute(new ListWithdrawals({ userIds }));
    const creators = withdrawals.map(({ creatorId, withdrawnAt }) => ({
      creatorId,
      since: new Date(withdrawnAt.getTime() - START_MS),
    }));
    const late = await this.queries.execute(new ListLateStyles({ creators }));
    return withdrawals.filter(({ creatorId }) => late.includes(creatorId)).map(({ userId }) => userId);
  }

  private async reopen(closure: ClosureRow, steps: readonly ClosingStep[]): Promise<void> {
    this.logger.warn('Something of a closed account was left. Its closing continues.', {
      closureId: closure.id,
      steps,
    });
    const progress = Object.fromEntries(steps.map((step) => [step, reopened(closure.steps[step])]));
    await this.rows.reopen(closure.id, progress);
  }

  /** Deletes the folders of the file storage that no row refers to. */
  async deleteOrphanedMedia(): Promise<void> {
    const before = this.clock.now().getTime() - MEDIA_GRACE_MS;
    let page: string[] = [];
    for await (const { name, changedAt } of this.storage.folders()) {
      if (this.stopped) return;
      if (changedAt.getTime() > before) continue;
      page.push(name);
      if (page.length < MEDIA_PAGE) continue;
      await this.deleteUnused(page);
      page = [];
    }
    if (page.length > 0) await this.deleteUnused(page);
  }

  private async deleteUnused(folders: readonly string[]): Promise<void> {
    const used = new Set([
      ...(await this.queries.execute(new ListUsedMedia({ folders }))),
      ...(await this.queries.execute(new ListUsedPortraits({ folders }))),
    ]);
    const orphans = orphansOf(folders, used);
    if (orphans === null) {
      this.logger.error('No stored picture has a row. Nothing is deleted. Is this the right database?', {
        folders: folders.length,
      });
      return;
    }
    for (const folder of orphans) await this.storage.deleteFolder(folder);
    if (orphans.length === 0) return;
    this.metrics.found('media', orphans.length);
    this.logger.log('Media files without an image were deleted.', { folders: orphans.length });
  }
}
