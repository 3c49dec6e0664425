import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type PaymentProblemKind, type PaymentTables } from '../tables.js';
import { type PaymentProblem } from '../../contract/payments.js';

/** What is shown to admins at most; more of it is one problem with many faces. */
const SHOWN = 200;

/** Failed tries after which an admin is told; fewer are the weather. */
const TRIES_BEFORE_TELLING = 3;

/** What trying again will not mend, kept until it is in order; and, for admins, what keeps failing. */
@Injectable()
export class PaymentProblems {
  private readonly logger = new Logger(PaymentProblems.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly clock: Clock,
  ) {}

  /** @param what a sentence without personal data */
  async open(subject: string, kind: PaymentProblemKind, what: string): Promise<void> {
    const now = this.clock.now();
    this.logger.error('A payment needs somebody to look at it.', { subject, kind, what });
    await this.db
      .insertInto('payment_problem')
      .values({ subject, kind, what, first_seen_at: now, last_seen_at: now })
      .onConflict((conflict) =>
        conflict.columns(['subject', 'kind']).doUpdateSet({ what, last_seen_at: now, resolved_at: null }),
      )
      .execute();
  }

  /** All is in order with it now. */
  async resolve(subject: string): Promise<void> {
    await this.db
      .updateTable('payment_problem')
      .set({ resolved_at: this.clock.now() })
      .where('subject', '=', subject)
      .where('resolved_at', 'is', null)
      .execute();
  }

  /** Open problems, and events and refunds that keep failing, the oldest first. */
  async list(): Promise<PaymentProblem[]> {
    const problems = await this.db
      .selectFrom('payment_problem')
      .select(['subject', sql<string>`kind`.as('kind'), 'what'])
      .select(['first_seen_at', 'last_seen_at', sql<number>`0`.as('attempts')])
      .where('resolved_at', 'is', null)
      .unionAll(
        this.db
          .selectFrom('payment_event')
          .select(['id as subject', sql<string>`'event_failing'`.as('kind')])
          .select(sql<string>`type || ' of ' || object_id || ': ' || coalesce(last_error, 'interrupted')`.as('what'))
          .select(['received_at as first_seen_at', 'not_before as last_seen_at', 'attempts'])
          .where('handled_at', 'is', null)
          .where('attempts', '>=', TRIES_BEFORE_TELLING),
      )
      .unionAll(
        this.db
          .selectFrom('admin_refund')
          .select([sql<string>`id::text`.as('subject'), sql<string>`'refund_failing'`.as('kind')])
          .select(sql<string>`status || ', ' || session_id || ': ' || coalesce(last_error, 'interrupted')`.as('what'))
          .select(['created_at as first_seen_at', 'not_before as last_seen_at', 'attempts'])
          .where('status', 'in', ['reserving', 'reserved', 'releasing'])
          .where('attempts', '>=', TRIES_BEFORE_TELLING),
      )
      .orderBy('first_seen_at')
      .limit(SHOWN)
      .execute();
    return problems.map(({ first_seen_at: first, last_seen_at: last, ...problem }) => ({
      ...problem,
      first_seen_at: first.toISOString(),
      last_seen_at: last.toISOString(),
    }));
  }
}
