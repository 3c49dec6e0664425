import { type Purchase, type Purchases } from './charges.js';
import { sql, type Kysely } from 'kysely';
import { type CheckoutRow, type PaymentTables } from '../../payments/tables.js';

/** Rows read at once. */
const PAGE = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type CheckedRow = Pick<CheckoutRow, 'id' | 'user_id' | 'credits' | 'amount_cents' | 'status'> & {
  readonly session_id: string;
  readonly reversed: number;
  readonly busy: boolean;
};

/** What each checkout says of its purchase, for the audit of the ledger. Reads a page at a time. */
export function purchasesOf(db: Kysely<PaymentTables>): Purchases {
  return {
    async *ofUsers(users) {
      let after = FIRST_ID;
      for (;;) {
        const rows = await pageOf(db, users, after);
        if (rows.length > 0) yield rows.map(purchaseOf);
        after = rows.at(-1)?.id ?? after;
        if (rows.length < PAGE) return;
      }
    },
    async *users() {
      let last = '';
      for (;;) {
        const rows = await db
          .selectFrom('checkout')
          .select('user_id')
          .distinct()
          .where('user_id', '>', last)
          .where('session_id', 'is not', null)
          .orderBy('user_id')
          .limit(PAGE)
          .execute();
        if (rows.length > 0) yield rows.map((row) => row.user_id);
        last = rows.at(-1)?.user_id ?? last;
        if (rows.length < PAGE) return;
      }
    },
  };
}

/** `busy`: a refund or dispute of it is being worked on, or was heard of and not handled yet. */
async function pageOf(db: Kysely<PaymentTables>, users: readonly string[], after: string): Promise<CheckedRow[]> {
  const { rows } = await sql<CheckedRow>`
    select c.id, c.user_id, c.credits, c.amount_cents, c.status, c.session_id,
      coalesce((select sum(amount_cents) from payment_reversal r where r.session_id = c.session_id and r.stands), 0)::int
        as reversed,
      exists (select from admin_refund a where a.session_id = c.session_id and (
          a.status in ('reserving', 'reserved', 'releasing')
          or (a.status = 'refunded' and not exists (select from payment_reversal r where r.object_id = a.refund_id))))
        or exists (select from payment_event e
          where e.handled_at is null and e.payment_intent_id = c.payment_intent_id) as busy
    from checkout c
    where c.user_id = any(${[...users]}::text[]) and c.session_id is not null and c.id > ${after}::uuid
    order by c.id limit ${PAGE}`.execute(db);
  return rows;
}

function purchaseOf(row: CheckedRow): Purchase {
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    credits: row.credits,
    amountCents: row.amount_cents,
    state: stateOf(row.status),
    reversedCents: row.busy ? null : row.reversed,
  };
}

function stateOf(status: CheckoutRow['status']): Purchase['state'] {
  if (status === 'credited') return 'fulfilled';
  return status === 'expired' || status === 'failed' ? 'unpaid' : 'open';
}
