import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { type PaymentProblemKind, type PaymentTables } from './tables.js';

/** Records the problems that a retry cannot fix, until they are resolved. Admins list them. */
@Injectable()
export class PaymentProblems {
  private readonly logger = new Logger(PaymentProblems.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a problem with a payment and logs it. A problem that an admin dismissed stays dismissed while it says the
   * same.
   * @param description a sentence without personal data
   */
  async open(subject: string, kind: PaymentProblemKind, description: string): Promise<void> {
    const now = this.clock.now();
    const whenDismissed = (column: string) =>
      sql<Date | null>`case when payment_problem.dismissed_at is not null and payment_problem.what = ${description}
        then payment_problem.${sql.ref(column)} end`;
    const { resolved_at: resolvedAt } = await this.db
      .insertInto('payment_problem')
      .values({ subject, kind, what: description, first_seen_at: now, last_seen_at: now })
      .onConflict((conflict) =>
        conflict.columns(['subject', 'kind']).doUpdateSet({
          what: description,
          last_seen_at: now,
          resolved_at: whenDismissed('resolved_at'),
          dismissed_at: whenDismissed('dismissed_at'),
        }),
      )
      .returning('resolved_at')
      .executeTakeFirstOrThrow();
    if (!resolvedAt) this.logger.error('A payment needs manual attention.', { subject, kind, description });
  }

  /** Marks all open problems of a subject as resolved. */
  async resolve(subject: string): Promise<void> {
    await this.db
      .updateTable('payment_problem')
      .set({ resolved_at: this.clock.now() })
      .where('subject', '=', subject)
      .where('resolved_at', 'is', null)
      .execute();
  }
}
