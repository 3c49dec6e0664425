import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { type PaymentTables } from '../tables.js';

/** Metrics of payments. */
@Injectable()
export class PaymentMetrics {
  private readonly webhooks;
  private readonly steps;

  constructor(metrics: Metrics, @Inject(DATABASE) db: Kysely<PaymentTables>, clock: Clock) {
    this.webhooks = metrics.counter({
      name: 'fanvas_payment_webhooks_total',
      help: 'Webhook deliveries of the payment processor: stored, repeated, ignored (irrelevant type) or refused.',
      labels: ['outcome'],
    });
    this.steps = metrics.counter({
      name: 'fanvas_payment_steps_total',
      help: 'Payment steps of this process, by step and outcome.',
      labels: ['step', 'outcome'],
    });
    metrics.gauge({
      name: 'fanvas_payment_events_waiting',
      help: 'Events of the payment processor that are not handled yet.',
      shared: true,
      collect: async (gauge) => {
        const { rows } = await sql<{ waiting: number; failing: number; oldest: Date | null; problems: number }>`
          select count(*)::int as waiting, min(received_at) as oldest, count(*) filter (where attempts > 1 and not unreadable)::int as failing,
            (select count(*)::int from payment_problem where resolved_at is null) as problems
          from payment_event where handled_at is null`.execute(db);
        const { waiting = 0, failing = 0, oldest = null, problems = 0 } = rows[0] ?? {};
        openProblems.set(problems);
        gauge.set(waiting);
        failingEvents.set(failing);
        oldestEvent.set(oldest ? Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000) : 0);
      },
    });
    const failingEvents = metrics.gauge({
      name: 'fanvas_payment_events_failing',
      help: 'Unhandled events that failed at least once. Those that our key cannot read, and that may be of another shop, do not count.',
      shared: true,
    });
    const oldestEvent = metrics.gauge({
      name: 'fanvas_payment_oldest_event_age_seconds',
      help: 'Age of the oldest event that is not handled yet; 0 when there is none.',
      shared: true,
    });
    const openProblems = metrics.gauge({
      name: 'fanvas_payment_problems_open',
      help: 'Payments that need manual attention (get_payment_problems lists them).',
      shared: true,
    });
  }

  webhook(outcome: 'stored' | 'repeated' | 'ignored' | 'refused'): void {
    this.webhooks.inc({ outcome });
  }

  did(
    step: 'credit' | 'reverse' | 'reinstate' | 'handle_event' | 'refund' | 'reconcile',
    outcome: 'done' | 'failed',
  ): void {
    this.steps.inc({ step, outcome });
  }
}
