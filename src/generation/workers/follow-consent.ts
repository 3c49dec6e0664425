import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { ContinueStyleChange, ListStyleChanges, type StyleChange, styleChangeIsDue } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { DueWork } from '../../platform/due-work.js';
import { FaultPoints } from '../../platform/fault-points.js';
import { Locks } from '../../platform/locks.js';
import { ScheduledWorker } from '../../platform/scheduled-worker.js';
import { CancelPending } from '../use-cases/cancel-pending.js';
import { ReleaseImages } from '../use-cases/release-images.js';
import { WithholdImages } from '../use-cases/withhold-images.js';

const CHANGES_PER_RUN = 20;

/** Longest time between the read of a creator and the storing of the image, with a reserve. */
const LONGEST_START_MS = 60_000;

/** Until images whose refund waits are looked at again. */
const RECHECK_MS = 5_000;

const STEPS = ['cancel', 'withhold', 'release', 'store'] as const;
type Step = (typeof STEPS)[number];
export type ConsentFaultPoint = `consent.${Step}.${'before' | 'after'}`;

/**
 * Makes images follow the consent of their creator. After a withdrawal it cancels and refunds images in progress, and
 * withholds the finished ones; after a consent that is given again it releases them. The creator's row holds the work
 * that is left, and every step may be repeated. Runs when a change is due, on one instance at a time.
 */
@Injectable()
export class ConsentFollower extends ScheduledWorker {
  protected override readonly failure = 'Withdrawals could not be continued; they are retried in two seconds.';

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly locks: Locks,
    private readonly faults: FaultPoints,
    private readonly clock: Clock,
    dueWork: DueWork,
  ) {
    super();
    dueWork.add(styleChangeIsDue, () => this.tick());
  }

  protected override work(): Promise<void> {
    return this.sweep();
  }

  /** Continues all changes that are due, one sweep at a time. One that fails does not stop the others. */
  async sweep(): Promise<void> {
    const dueChanges = (limit: number) => this.queries.execute(new ListStyleChanges({ limit }));
    // Most often none is due, and asking for the lock costs more than the look.
    if ((await dueChanges(1)).length === 0) return;
    await this.locks.withLock('consent-follower', async () => {
      for (const change of await dueChanges(CHANGES_PER_RUN)) {
        if (this.stopped) return;
        try {
          await this.follow(change);
        } catch (error) {
          const { creatorId } = change;
          this.logger.error('The work after a change of consent failed; it is retried.', { creatorId, error });
          // The first run stays due: later ones withhold only the latest images.
          if (!change.first) await this.continueAt(change, this.after(RECHECK_MS));
        }
      }
    });
  }

  private async follow(change: StyleChange): Promise<void> {
    const { creatorId, changedAt } = change;
    if (!change.withdrawn) {
      await this.step('release', () => this.commands.execute(new ReleaseImages({ creatorId, at: changedAt })));
      return this.continueAt(change, null);
    }
    const { stillOpen } = await this.step('cancel', () => this.commands.execute(new CancelPending({ creatorId })));
    // Later runs look for images that were in progress or began during the withdrawal.
    const since = change.first ? null : new Date(changedAt.getTime() - GENERATION_TIMEOUT_MS - LONGEST_START_MS);
    await this.step('withhold', () => this.commands.execute(new WithholdImages({ creatorId, since })));
    const lastStart = new Date(changedAt.getTime() + LONGEST_START_MS);
    if (stillOpen > 0) return this.continueAt(change, this.after(RECHECK_MS));
    return this.continueAt(change, this.clock.now() < lastStart ? lastStart : null);
  }

  private async continueAt({ creatorId, changedAt }: StyleChange, dueAt: Date | null): Promise<void> {
    await this.step('store', () => this.commands.execute(new ContinueStyleChange({ creatorId, changedAt, dueAt })));
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }

  private async step<T>(name: Step, work: () => Promise<T>): Promise<T> {
    this.faults.reach(`consent.${name}.before` satisfies ConsentFaultPoint);
    const result = await work();
    this.faults.reach(`consent.${name}.after` satisfies ConsentFaultPoint);
    return result;
  }
}

/** The points at which crash tests stop the process. */
export const CONSENT_FAULT_POINTS: readonly ConsentFaultPoint[] = STEPS.flatMap((step): ConsentFaultPoint[] => [
  `consent.${step}.before`,
  `consent.${step}.after`,
]);
