import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type FinanceTables, type ReconciliationRunTable } from '../tables.js';

/** The key of the only row. */
export const PROCESSOR_RUN = 'processor';

/** When the processor was read and compared, for all instances. */
@Injectable()
export class ReconciliationRuns {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly clock: Clock,
  ) {}

  /** Null before the first run. */
  async last(): Promise<ReconciliationRunTable | null> {
    const row = await this.db
      .selectFrom('reconciliation_run')
      .selectAll()
      .where('name', '=', PROCESSOR_RUN)
      .executeTakeFirst();
    return row ?? null;
  }

  async isDue(): Promise<boolean> {
    const last = await this.last();
    return last === null || last.next_at <= this.clock.now();
  }

  /** @param comparedTo everything before it was compared */
  async succeeded(comparedTo: Date, nextAt: Date): Promise<void> {
    await this.save({ next_at: nextAt, ran_at: this.clock.now(), failed_at: null, compared_to: comparedTo });
  }

  async failed(nextAt: Date): Promise<void> {
    await this.save({ next_at: nextAt, failed_at: this.clock.now() });
  }

  private async save(change: Partial<ReconciliationRunTable> & { readonly next_at: Date }): Promise<void> {
    await this.db
      .insertInto('reconciliation_run')
      .values({ name: PROCESSOR_RUN, ran_at: null, failed_at: null, compared_to: null, ...change })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(change))
      .execute();
  }
}
