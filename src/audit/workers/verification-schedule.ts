import { Inject, Injectable } from '@nestjs/common';
import { type Pool } from 'pg';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { Clock } from '../../platform/clock.js';
import { JOB_POOL, PG_POOL } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Locks } from '../../platform/locks.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { readVerificationFigures, readVerificationState } from '../continuous/verification-state.js';
import { LedgerKeys } from '../seals/ledger-keys.js';
import { verifyNewEvents } from '../continuous/verify-new-events.js';

const INTERVAL_MS = 60_000;
/** Events of one run: it takes some seconds, and the next run continues. */
const MAX_EVENTS = 50_000;
/** Problems in a log line. */
const PROBLEMS_LOGGED = 5;
const LOCK = 'ledger-verification';

/**
 * Verifies what is new in the ledger once a minute, on one instance. Logs an error while a problem is known, and for
 * each failed run. A failure does not affect the ledger.
 */
@Injectable()
@Scheduled('ledger-verification', INTERVAL_MS)
export class VerificationSchedule extends ScheduledWorker {
  protected override readonly failure = 'The new events of the ledger could not be verified; trying again.';

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    @Inject(JOB_POOL) private readonly jobs: Pool,
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly locks: Locks,
    private readonly keys: LedgerKeys,
    metrics: Metrics,
  ) {
    super();
    const age = metrics.gauge({
      name: 'fanvas_ledger_verified_age_seconds',
      help: 'Time since which stored events may not be verified by the continuous verification; -1 before its first run.',
      shared: true,
    });
    const success = metrics.gauge({
      name: 'fanvas_ledger_verification_success_age_seconds',
      help: 'Time since the last successful run of the continuous verification; -1 before the first.',
      shared: true,
    });
    const problems = metrics.gauge({
      name: 'fanvas_ledger_problems',
      help: 'Problems of the ledger that the continuous verification knows.',
      shared: true,
    });
    const runProblems = metrics.gauge({
      name: 'fanvas_ledger_run_problems',
      help: 'Problems that the newest full verification on demand found; -1 before the first.',
      shared: true,
    });
    metrics.beforeShown(
      async () => {
        const figures = await readVerificationFigures(pool);
        age.set(this.secondsSince(figures.verifiedUntil));
        success.set(this.secondsSince(figures.succeededAt));
        problems.set(figures.problems);
        runProblems.set(figures.runProblems ?? -1);
      },
      { shared: true },
    );
  }

  protected override async work(): Promise<void> {
    const { pool, jobs: slowPool, eventStore } = this;
    const run = await this.locks.withLock(LOCK, async () => {
      const keys = await this.keys.accepted();
      return verifyNewEvents(
        { pool, slowPool, eventStore, keys },
        { now: () => this.clock.now(), maxEvents: MAX_EVENTS },
      );
    });
    if (!run) return;
    if (run.startedAgain) {
      this.logger.warn('The last verified event is gone: the ledger is verified again from its first event.');
    }
    if (run.problems === 0) return;
    const { first } = await readVerificationState(pool, PROBLEMS_LOGGED);
    this.logger.error({ message: 'The ledger has problems.', problems: run.problems, first });
  }

  private secondsSince(at: Date | null): number {
    return at ? (this.clock.now().getTime() - at.getTime()) / 1000 : -1;
  }
}
