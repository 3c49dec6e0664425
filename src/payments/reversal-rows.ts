import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Selectable } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { isUuid } from '../platform/ids.js';
import { type ProcessorReversal } from './providers/payment-processor.js';
import { OPEN_STATES } from './standing.js';
import { type PaymentReversalTable, type PaymentTables } from './tables.js';

/** Refunds and disputes as last read from the processor. The ledger holds their effect on credits. */
@Injectable()
export class ReversalRows {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly clock: Clock,
  ) {}

  /**
   * The id of a reversal in the ledger. For a refund that an admin ordered it is the order's id, because the credits
   * were taken back before the processor was called. For all others it is the processor's id.
   */
  async ledgerId(
    sessionId: string,
    reversal: Pick<ProcessorReversal, 'id' | 'adminRefundId' | 'amountCents'>,
  ): Promise<string> {
    const { adminRefundId } = reversal;
    if (adminRefundId === null || !isUuid(adminRefundId)) return reversal.id;
    const order = await this.db
      .selectFrom('admin_refund')
      .select('id')
      .where('id', '=', adminRefundId)
      .where('session_id', '=', sessionId)
      .where('amount_cents', '=', reversal.amountCents)
      // An abandoned order gave its credits back. If its refund exists nevertheless, it counts under its own id.
      .where('status', 'not in', ['released', 'refused'])
      .executeTakeFirst();
    return order?.id ?? reversal.id;
  }

  async store(
    sessionId: string,
    reversalId: string,
    reversal: Pick<ProcessorReversal, 'id' | 'kind' | 'amountCents' | 'state'>,
    stands: boolean,
  ): Promise<void> {
    const { id: object_id, kind, amountCents: amount_cents, state } = reversal;
    const row = {
      object_id,
      reversal_id: reversalId,
      session_id: sessionId,
      kind,
      amount_cents,
      state,
      stands,
      updated_at: this.clock.now(),
    };
    await this.db
      .insertInto('payment_reversal')
      .values(row)
      .onConflict((conflict) => conflict.column('object_id').doUpdateSet(row))
      .execute();
  }

  /** The stored reversals among these ids, by id. */
  async findKnown(objectIds: readonly string[]): Promise<Map<string, Selectable<PaymentReversalTable>>> {
    if (objectIds.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('payment_reversal')
      .selectAll()
      .where('object_id', 'in', [...objectIds])
      .execute();
    return new Map(rows.map((row) => [row.object_id, row]));
  }

  /** Sessions with an open refund or dispute. */
  async openSessions(): Promise<string[]> {
    const rows = await this.db
      .selectFrom('payment_reversal')
      .select('session_id')
      .distinct()
      .where('state', 'in', [...OPEN_STATES])
      .execute();
    return rows.map((row) => row.session_id);
  }
}
