import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { ATTEMPTS_BEFORE_ATTENTION } from './next-step.js';
import { type ClosingTables } from './tables.js';

/** Kinds of data that the reconciler finds after a closure. */
export type Leftover = 'content' | 'credits' | 'payments' | 'media';

/** Metrics of closings. */
@Injectable()
export class ClosingMetrics {
  private readonly leftovers;

  constructor(metrics: Metrics, @Inject(DATABASE) db: Kysely<ClosingTables>, clock: Clock) {
    this.leftovers = metrics.counter({
      name: 'fanvas_closing_leftovers_total',
      help: 'Data of closed accounts, and media files without a generation, that the reconciler found and removed.',
      labels: ['kind'],
    });
    const stuck = metrics.gauge({
      name: 'fanvas_closing_accounts_stuck',
      help: 'Closures with a step that keeps failing (get_account_closure shows it).',
      shared: true,
    });
    const oldest = metrics.gauge({
      name: 'fanvas_closing_oldest_age_seconds',
      help: 'Age of the oldest closure that is not finished; 0 when there is none.',
      shared: true,
    });
    metrics.gauge({
      name: 'fanvas_closing_accounts_open',
      help: 'Accounts whose closing is not finished.',
      shared: true,
      collect: async (gauge) => {
        const { rows } = await sql<{ open: number; stuck: number; oldest: Date | null }>`
          select count(*)::int as open, min(requested_at) as oldest, count(*) filter (where exists (
            select from jsonb_each(steps) step where (step.value ->> 'attempts')::int >= ${ATTEMPTS_BEFORE_ATTENTION}
          ))::int as stuck
          from account_closure where finished_at is null`.execute(db);
        const [row] = rows;
        gauge.set(row?.open ?? 0);
        stuck.set(row?.stuck ?? 0);
        oldest.set(row?.oldest ? Math.max(0, (clock.now().getTime() - row.oldest.getTime()) / 1000) : 0);
      },
    });
  }

  found(kind: Leftover, count: number): void {
    this.leftovers.inc({ kind }, count);
  }
}
