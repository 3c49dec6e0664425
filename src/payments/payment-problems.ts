import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely } from 'kysely';
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
   * Records a problem with a payment and logs it.
   * @param description a sentence without personal data
   */
  async open(subject: string, kind: PaymentProblemKind, description: string): Promise<void> {
    const now = this.clock.now();
    this.logger.error('A payment needs manual attention.', { subject, kind, description });
    await this.db
      .insertInto('payment_problem')
      .values({ subject, kind, what: description, first_seen_at: now, last_seen_at: now })
      .onConflict((conflict) =>
        conflict.columns(['subject', 'kind']).doUpdateSet({ what: description, last_seen_at: now, resolved_at: null }),
      )
      .execute();
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
