import { Inject, Injectable } from '@nestjs/common';
import { type Command, QueryBus } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Acts } from '../../platform/acts/acts.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { IdGenerator } from '../../platform/ids.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { PAYOUT_STREAM_PREFIX } from '../payouts/events.js';
import { payoutsProjection } from '../reads/payouts-projection.js';
import { type FinanceTables } from '../tables.js';
import { PayoutRunner } from '../workers/payout-runner.js';

const WAIT_MS = 5_000;

/** A handler of a command about runs of payouts, and their files for and of the bank. */
@Injectable()
export abstract class PayoutCommand<Asked extends Command<unknown>> {
  constructor(
    @Inject(DATABASE) protected readonly db: Kysely<FinanceTables>,
    protected readonly acts: Acts,
    protected readonly clock: Clock,
    protected readonly ids: IdGenerator,
    protected readonly queries: QueryBus,
    protected readonly runner: PayoutRunner,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
    @Inject(CONFIG) protected readonly config: Config,
  ) {}

  abstract execute(command: Asked): Promise<Asked extends Command<infer Result> ? Result : never>;

  /**
   * Waits until the rows of payouts contain every event that is stored now.
   * @throws DomainError unavailable after 5 seconds
   */
  protected async untilPayoutsAreRead(): Promise<void> {
    const last = await this.eventStore.lastPosition(PAYOUT_STREAM_PREFIX);
    const { name } = payoutsProjection;
    if (last === null || (await this.projections.waitFor(last, { name, timeoutMs: WAIT_MS }))) return;
    throw new DomainError('unavailable', 'The payouts are still being read. Please try again in a moment.');
  }
}

/** The state of a run, a file or a payout does not allow the command. */
export function refused(message: string): DomainError {
  return new DomainError('conflict', message, { code: '55000' });
}

/**
 * SQL that is true for a payout that a report of the bank has: its line was recorded, or waits for the worker. No file
 * may have it any more.
 */
export function reported(payoutId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (
    select from bank_report_line l where l.payout_id = ${payoutId} and l.outcome is distinct from 'refused'
  )`;
}
