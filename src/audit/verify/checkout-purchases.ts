import { type Pool } from 'pg';
import { inPages } from '../../platform/database/in-pages.js';
import { type CheckoutRow } from '../../payments/tables.js';
import { type AccountAudit } from './account-audit.js';
import { type AgedPage, type AgedCursor } from './generation-charges.js';

/** Rows read at once. */
const ROWS_PER_READ = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The purchase of one checkout session, as the payment tables state it. The ledger must agree. */
export interface Purchase {
  readonly userId: string;
  /** The session's id. */
  readonly sessionId: string;
  readonly credits: number;
  /** Price in US cents. */
  readonly amountCents: number;
  /** The processor's payment. */
  readonly paymentIntentId: string | null;
  /**
   * - `fulfilled`: the ledger must have the purchase.
   * - `unpaid`: the ledger must not have it.
   * - `open`: the ledger may or may not have it: the payment is not final, or not recorded yet.
   */
  readonly state: 'fulfilled' | 'unpaid' | 'open';
  /** US cents returned by effective refunds and disputes; null while one of them is in progress. */
  readonly reversedCents: number | null;
}

type CheckedRow = Pick<CheckoutRow, 'id' | 'user_id' | 'credits' | 'amount_cents' | 'payment_intent_id' | 'status'> & {
  readonly session_id: string;
  readonly reversed: number;
  /** A refund or dispute of the purchase is in progress, or its webhook is not handled yet. */
  readonly busy: boolean;
};

/** The purchases of all checkout sessions of some users, a page at a time. */
export async function* purchasePages(pool: Pool, users: readonly string[]): AsyncGenerator<Purchase[]> {
  const pages = inPages<CheckedRow>(ROWS_PER_READ, (last) => readPage(pool, users, last?.id ?? FIRST_ID));
  for await (const rows of pages) yield rows.map(toPurchase);
}

/** The purchases of these checkout sessions; those that do not exist are missing. */
export async function purchasesOf(pool: Pool, sessionIds: readonly string[]): Promise<Purchase[]> {
  if (sessionIds.length === 0) return [];
  const { rows } = await pool.query<CheckedRow>(`${SELECT_PURCHASES} where c.session_id = any($1::text[])`, [
    sessionIds,
  ]);
  return rows.map(toPurchase);
}

/** The next credited purchases of all users after a place, by the time of the credit, and the place of the last one. */
export async function purchasesAfter(
  pool: Pool,
  { after, until, limit }: { readonly after: AgedCursor | null; readonly until: Date; readonly limit: number },
): Promise<AgedPage<Purchase>> {
  const { rows } = await pool.query<CheckedRow & { readonly credited_at: Date }>(
    `${SELECT_PURCHASES} where c.session_id is not null and c.credited_at is not null
       and (c.credited_at, c.id) > ($1, $2::uuid) and c.credited_at <= $3
     order by c.credited_at, c.id limit $4`,
    [after?.at ?? new Date(0), after?.id ?? FIRST_ID, until, limit],
  );
  const last = rows.at(-1);
  return { found: rows.map(toPurchase), last: last ? { at: last.credited_at, id: last.id } : null };
}

const SELECT_PURCHASES = `select c.id, c.user_id, c.credits, c.amount_cents, c.payment_intent_id, c.status, c.session_id, c.credited_at,
      coalesce((select sum(amount_cents) from payment_reversal r where r.session_id = c.session_id and r.stands), 0)::int
        as reversed,
      exists (select from admin_refund a where a.session_id = c.session_id and (
          a.status in ('reserving', 'reserved', 'releasing')
          or (a.status = 'refunded' and not exists (select from payment_reversal r where r.object_id = a.refund_id))))
        or exists (select from payment_event e
          where e.handled_at is null and e.payment_intent_id = c.payment_intent_id) as busy
    from checkout c`;

async function readPage(pool: Pool, users: readonly string[], after: string): Promise<CheckedRow[]> {
  const { rows } = await pool.query<CheckedRow>(
    `${SELECT_PURCHASES} where c.user_id = any($1::text[]) and c.session_id is not null and c.id > $2::uuid
    order by c.id limit $3`,
    [users, after, ROWS_PER_READ],
  );
  return rows;
}

function toPurchase(row: CheckedRow): Purchase {
  return {
    userId: row.user_id,
    sessionId: row.session_id,
    credits: row.credits,
    amountCents: row.amount_cents,
    paymentIntentId: row.payment_intent_id,
    state: purchaseState(row.status),
    reversedCents: row.busy ? null : row.reversed,
  };
}

function purchaseState(status: CheckoutRow['status']): Purchase['state'] {
  if (status === 'credited') return 'fulfilled';
  return status === 'expired' || status === 'failed' ? 'unpaid' : 'open';
}

/** The difference between a checkout session and the purchase in the ledger, as a sentence; null when they agree. */
export function purchaseMismatch(
  { sessionId, credits, amountCents, paymentIntentId, reversedCents, state }: Purchase,
  { purchases }: Pick<AccountAudit, 'purchases'>,
): string | null {
  const recorded = purchases.get(sessionId);
  const subject = `Checkout session ${sessionId} `;
  if (!recorded) return state === 'fulfilled' ? `${subject}was fulfilled, but the ledger has no purchase of it.` : null;
  if (state === 'unpaid') return `${subject}was not paid, but its credits were granted.`;
  if (recorded.credits !== credits || recorded.amountCents !== amountCents) {
    return `${subject}sold ${credits} credits for ${amountCents} cents, but the ledger has ${recorded.credits} for ${recorded.amountCents}.`;
  }
  const { paymentIntentId: paid } = recorded;
  if (state === 'fulfilled' && paid !== undefined && paid !== paymentIntentId) {
    return `${subject}has the payment ${paymentIntentId ?? 'none'}, but the ledger has ${paid ?? 'none'}.`;
  }
  if (reversedCents === null || reversedCents === recorded.reversedCents) return null;
  return `${reversedCents} cents of checkout session ${sessionId} were returned, but the ledger has ${recorded.reversedCents}.`;
}
