import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { AdminRefunds, refundIsDue } from '../use-cases/admin-refunds.js';
import { CheckoutRows } from '../checkout-rows.js';
import { eventIsDue, PaymentInbox } from './payment-inbox.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentOwners } from '../payment-owners.js';
import { PaymentProblems } from '../payment-problems.js';
import { describeError, isUnreadable, PaymentProcessor } from '../providers/payment-processor.js';
import { PaymentBusyError, PaymentSettler } from '../use-cases/settle-payment.js';
import { BackgroundWork } from '../../platform/background-work.js';
import { Clock } from '../../platform/clock.js';
import { DueWork } from '../../platform/due-work.js';
import { type PaymentEventRow } from '../tables.js';
import { UNREADABLE_MS } from '../unreadable-payments.js';

/** Events of one claim. */
const EVENTS_PER_CLAIM = 50;

/** Payments settled in parallel. Each holds a connection for its lock. */
const MAX_AT_ONCE = 4;

/** Handles the inbox and ordered refunds in the background: after each delivery, at start and when some are due. */
@Injectable()
export class PaymentWorker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PaymentWorker.name);
  /** Two loops: refunds that wait for the processor must not delay purchases. */
  private readonly loops = [
    new BackgroundWork(() => this.refunds.driveDue(), this.failed.bind(this), 'Refunds'),
    new BackgroundWork(() => this.drainInbox(), this.failed.bind(this), 'PaymentInbox'),
  ];
  private stopped = false;

  constructor(
    private readonly inbox: PaymentInbox,
    private readonly checkouts: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly owners: PaymentOwners,
    private readonly settler: PaymentSettler,
    private readonly problems: PaymentProblems,
    private readonly refunds: AdminRefunds,
    private readonly metrics: PaymentMetrics,
    private readonly clock: Clock,
    dueWork: DueWork,
  ) {
    dueWork.add(
      (now) => sql<boolean>`(${eventIsDue(now)} or ${refundIsDue(now)})`,
      () => this.wake(),
    );
  }

  /** Starts a run soon. Calling it often is harmless. */
  wake(): void {
    for (const loop of this.loops) loop.wake();
  }

  /** Resolves when both loops are idle. */
  async idle(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.idle()));
  }

  /** Waits for running steps before the connections close. The next start continues with the rest. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private failed(error: unknown): void {
    this.logger.error('Payments could not be handled. The next run is in two seconds.', { error });
  }

  private async drainInbox(): Promise<void> {
    while (!this.stopped) {
      const events = await this.inbox.claim(EVENTS_PER_CLAIM);
      if (events.length === 0) return;
      const groups = [...(await this.bySession(events)).values()];
      for (let next = 0; next < groups.length; next += MAX_AT_ONCE) {
        await Promise.all(groups.slice(next, next + MAX_AT_ONCE).map((group) => this.handle(group)));
      }
    }
  }

  /** Groups events by session, because settling handles all of them at once. Events without a session are done. */
  private async bySession(events: readonly PaymentEventRow[]): Promise<Map<string, Group>> {
    const groups = new Map<string, Group>();
    for (const event of events) {
      await this.retryOnError([event], async () => {
        const sessionId = await this.sessionOf(event);
        if (sessionId === null) return this.inbox.handled([event.id]);
        const group = groups.get(sessionId) ?? { sessionId, events: [] };
        group.events.push(event);
        groups.set(sessionId, group);
      });
    }
    return groups;
  }

  private async handle({ sessionId, events }: Group): Promise<void> {
    await this.retryOnError(events, async () => {
      await this.settler.settle(sessionId);
      await this.inbox.handled(events.map((event) => event.id));
      this.metrics.did('handle_event', 'done');
    });
  }

  /** Null for a payment of another shop, and for one without a checkout session. */
  private async sessionOf(event: PaymentEventRow): Promise<string | null> {
    if (event.type.startsWith('checkout.session.')) return event.object_id;
    const payment = event.payment_intent_id ?? (await this.processor.paymentOf(event.object_id));
    return payment === null ? null : this.owners.sessionOf(payment);
  }

  private async retryOnError(events: readonly PaymentEventRow[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const event of events) await this.retryLater(event, error);
    }
  }

  private async retryLater(event: PaymentEventRow, error: unknown): Promise<void> {
    if (error instanceof PaymentBusyError) return this.inbox.waitFor(event);
    this.metrics.did('handle_event', 'failed');
    const details = { eventId: event.id, type: event.type, attempts: event.attempts, reason: describeError(error) };
    if (isUnreadable(error)) return this.retryUnreadable(event, details);
    // Transient failures are expected; alert after three.
    if (event.attempts < 3) {
      this.logger.warn('A payment event could not be handled. It is retried.', details);
    } else {
      this.logger.error('A payment event keeps failing. It is retried.', { ...details, error });
    }
    await this.inbox.failed(event, details.reason);
  }

  /** The processor may learn of an object later, and an operator may extend our key: for three days. */
  private async retryUnreadable(event: PaymentEventRow, details: { readonly reason: string }): Promise<void> {
    const ours = await this.checkouts.findByEvent(event);
    if (this.clock.now().getTime() - event.received_at.getTime() < UNREADABLE_MS) {
      this.logger.warn('A payment event could not be read with our key. It is retried.', details);
      return this.inbox.failed(event, details.reason, ours === null);
    }
    this.logger.warn('A payment event could not be read with our key for three days. It is given up.', details);
    if (ours) {
      const description = `Our key could not read it for three days: ${details.reason}.`;
      await this.problems.open(ours.session_id ?? event.object_id, 'unknown_payment', description);
    }
    await this.inbox.abandon(event, details.reason);
  }
}

interface Group {
  readonly sessionId: string;
  readonly events: PaymentEventRow[];
}
