import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { SYSTEM_ACTOR } from '../../platform/acts/actor.js';
import { actIdOf } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Locks } from '../../platform/locks.js';
import { beginningOf } from '../reads/balances.js';
import { startOf } from '../reads/book-sums.js';
import { SETTLED_AFTER_MS } from '../settled.js';
import { type FinanceTables } from '../tables.js';
import { DraftPayoutRun } from '../use-cases/draft-payout-run.js';

const INTERVAL_MS = 10 * 60_000;
const LOCK = 'payout-schedule';

/**
 * Drafts the run of each month on its first day, on one instance, with the first instant of the month as its cutoff.
 * After an outage it drafts the run of the present month later. A run that finance or an admin has drafted with this
 * cutoff, or a later one, takes its place. While an earlier run is neither checked nor cancelled it waits, because its
 * creators would be left out.
 */
@Injectable()
@Scheduled('payout-schedule', INTERVAL_MS)
export class PayoutSchedule extends ScheduledWorker {
  protected override readonly failure = 'The run of the month could not be drafted. Trying again.';

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly locks: Locks,
  ) {
    super();
  }

  protected override work(): Promise<unknown> {
    return this.locks.withLock(LOCK, () => this.draftDue());
  }

  private async draftDue(): Promise<void> {
    const cutoff = startOf('month', this.clock.now());
    if (this.clock.now().getTime() < cutoff.getTime() + SETTLED_AFTER_MS) return;
    const beginsAt = await beginningOf(this.db);
    if (beginsAt === null || cutoff < startOf('day', beginsAt) || (await this.isTaken(cutoff))) return;
    const month = cutoff.toISOString().slice(0, 7);
    // The id follows from the month: a repeat, also of another instance, drafts nothing twice.
    const runId = actIdOf('monthly-payout-run', month);
    const { number } = await this.commands.execute(new DraftPayoutRun({ runId, cutoff, by: SYSTEM_ACTOR }));
    this.logger.log({ message: 'The payout run of the month was drafted.', month, number });
  }

  private async isTaken(cutoff: Date): Promise<boolean> {
    const { rows } = await sql<{ taken: boolean }>`
      select exists (
        select from payout_run where cutoff >= ${cutoff} or step in ('draft', 'fix')
      ) as taken`.execute(this.db);
    return rows[0]?.taken ?? true;
  }
}
