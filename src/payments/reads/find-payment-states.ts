import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { QueryOf } from '../../platform/messages.js';
import { dashboardUrl } from '../providers/dashboard.js';
import { PaymentProcessor } from '../providers/payment-processor.js';
import { type AdminRefundStatus, type CheckoutStatus, type PaymentProblemKind, type PaymentTables } from '../tables.js';

/** A movement of money, by the ids that are known of it. */
export interface AskedPayment {
  /** Names the answer. */
  readonly key: string;
  readonly sessionId: string | null;
  readonly paymentIntentId: string | null;
  /** The charge, refund or dispute at the processor. */
  readonly objectId: string | null;
  /** The order of an admin that caused a refund. */
  readonly orderId: string | null;
}

/** How far this context is with a payment. */
export interface PaymentState {
  /** Of our checkout; null: there is none. */
  readonly sessionId: string | null;
  readonly status: CheckoutStatus | null;
  /** A problem that a retry cannot fix. */
  readonly problem: PaymentProblemKind | null;
  /** Whether the refund or dispute was settled as money that is returned, or as money that came back. */
  readonly reversal: 'stands' | 'ended' | null;
  /** The order of an admin. */
  readonly order: AdminRefundStatus | null;
  /** When a worker tries next; null: no work is planned for this payment alone. */
  readonly nextTryAt: Date | null;
  /** Failed tries so far. */
  readonly tries: number;
  /** Where a person sees the payment at the processor. */
  readonly url: string;
}

/** The states of some payments, by their keys, in one statement. */
export class FindPaymentStates extends QueryOf<readonly AskedPayment[], ReadonlyMap<string, PaymentState>> {}

const COLUMNS = {
  key: 'text',
  session_id: 'text',
  payment_intent_id: 'text',
  object_id: 'text',
  order_id: 'uuid',
} as const;

interface StateRow {
  readonly key: string;
  readonly payment_intent_id: string | null;
  readonly session_id: string | null;
  readonly status: CheckoutStatus | null;
  readonly problem: PaymentProblemKind | null;
  readonly stands: boolean | null;
  readonly order_status: AdminRefundStatus | null;
  readonly order_not_before: Date | null;
  readonly order_attempts: number | null;
  readonly not_before: Date | null;
  readonly attempts: number | null;
}

@QueryHandler(FindPaymentStates)
export class FindPaymentStatesHandler implements IQueryHandler<FindPaymentStates> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    @Inject(PROVIDER_SETTINGS) private readonly providers: Pick<ProviderSettings, 'stripe'>,
  ) {}

  async execute({ input: payments }: FindPaymentStates): Promise<ReadonlyMap<string, PaymentState>> {
    if (payments.length === 0) return new Map();
    const asked = payments.map(({ key, sessionId, paymentIntentId, objectId, orderId }) => ({
      key,
      session_id: sessionId,
      payment_intent_id: paymentIntentId,
      object_id: objectId,
      order_id: orderId !== null && isUuid(orderId) ? orderId : null,
    }));
    const { rows } = await sql<StateRow>`
      select asked.key, asked.payment_intent_id, offer.session_id, offer.status, problem.kind as problem,
        reversal.stands, refund.status as order_status, refund.not_before as order_not_before,
        refund.attempts as order_attempts, open.not_before, open.attempts
      from (${rowsAs(asked, COLUMNS)}) as asked (key, session_id, payment_intent_id, object_id, order_id)
      left join lateral (
        select session_id, status from checkout where checkout.session_id = asked.session_id
        union all
        select session_id, status from checkout where checkout.payment_intent_id = asked.payment_intent_id
        limit 1
      ) as offer on true
      left join lateral (
        select kind from payment_problem
        where subject = any(array[asked.session_id, asked.payment_intent_id, asked.object_id]) and resolved_at is null
        order by first_seen_at limit 1
      ) as problem on true
      left join lateral (
        select stands from payment_reversal where payment_reversal.object_id = asked.object_id limit 1
      ) as reversal on true
      left join lateral (
        select status, not_before, attempts from admin_refund where admin_refund.id = asked.order_id limit 1
      ) as refund on true
      left join lateral (
        select not_before, attempts from (
          select not_before, attempts from payment_event
          where handled_at is null and payment_event.payment_intent_id = asked.payment_intent_id
          union all
          select not_before, attempts from payment_event
          where handled_at is null and payment_event.object_id = coalesce(offer.session_id, asked.session_id)
        ) as event order by not_before limit 1
      ) as open on true`.execute(this.db);
    return new Map(rows.map((row) => [row.key, this.stateOf(row)]));
  }

  private stateOf(row: StateRow): PaymentState {
    const { order_status: order, stands } = row;
    const ordered = order === 'reserving' || order === 'reserved' || order === 'releasing';
    return {
      sessionId: row.session_id,
      status: row.status,
      problem: row.problem,
      order,
      reversal: stands === null ? null : stands ? 'stands' : 'ended',
      nextTryAt: ordered ? row.order_not_before : row.not_before,
      tries: (ordered ? row.order_attempts : row.attempts) ?? 0,
      url: dashboardUrl(this.providers.stripe, row.payment_intent_id),
    };
  }
}

/** The session of a payment intent at the processor, by the id of the intent; null: it has none. */
export class FindSessionAtProcessor extends QueryOf<string, string | null> {}

@QueryHandler(FindSessionAtProcessor)
export class FindSessionAtProcessorHandler implements IQueryHandler<FindSessionAtProcessor> {
  constructor(private readonly processor: PaymentProcessor) {}

  /** @throws ProcessorUnavailableError, ProcessorRefusedError */
  async execute({ input: paymentIntentId }: FindSessionAtProcessor): Promise<string | null> {
    return (await this.processor.sessionOfPayment(paymentIntentId))?.id ?? null;
  }
}
