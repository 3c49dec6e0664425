import { type Selectable, sql } from 'kysely';
import { inPages } from '../../../platform/database/in-pages.js';
import { type CheckoutTable } from '../../../payments/tables.js';
import { type PersonalTables, ROWS_PER_READ } from '../personal-tables.js';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const COLUMNS = [
  ...(['id', 'session_id', 'payment_intent_id', 'bundle_id', 'bundle_name', 'credits', 'amount_cents'] as const),
  ...(['currency', 'status', 'receipt_url', 'created_at', 'updated_at', 'expires_at', 'credited_at'] as const),
] as const;

type Row = Pick<Selectable<CheckoutTable>, (typeof COLUMNS)[number]>;

/**
 * Every checkout of a person, paid or not, with its refunds and disputes, the oldest first. Then those without a
 * session, which the processor refused or did not answer.
 */
export async function* readPurchases(db: PersonalTables, userId: string): AsyncGenerator<readonly object[]> {
  yield* readCheckouts(db, userId, 'is not');
  yield* readCheckouts(db, userId, 'is');
}

/** @param session whether it `is` null or `is not`: each has an index */
async function* readCheckouts(
  db: PersonalTables,
  userId: string,
  session: 'is' | 'is not',
): AsyncGenerator<readonly object[]> {
  const pages = inPages<Row>(ROWS_PER_READ, (last, limit) =>
    db
      .selectFrom('checkout')
      .select(COLUMNS)
      .where('user_id', '=', userId)
      .where('session_id', session, null)
      .where('id', '>', last?.id ?? FIRST_ID)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of pages) {
    // May be empty, which `in` does not take.
    const sessions = rows.flatMap(({ session_id: id }) => (id === null ? [] : [id]));
    const reversals = await db
      .selectFrom('payment_reversal')
      .select(['session_id', 'object_id', 'kind', 'amount_cents', 'state', 'stands', 'updated_at'])
      .where('session_id', '=', sql<string>`any(${sessions})`)
      .orderBy('object_id')
      .execute();
    const refunds = await db
      .selectFrom('admin_refund')
      .select(['session_id', 'id', 'credits', 'amount_cents', 'reason', 'status', 'created_at', 'updated_at'])
      .where('session_id', '=', sql<string>`any(${sessions})`)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    yield rows.map((row) => ({
      ...row,
      refunds_and_disputes: ofSession(reversals, row.session_id),
      refunds_by_fanvas: ofSession(refunds, row.session_id),
    }));
  }
}

function ofSession(rows: readonly { readonly session_id: string }[], session: string | null): object[] {
  return rows.filter((row) => row.session_id === session).map(({ session_id: _session, ...row }) => row);
}

/** Credits that the person owes for purchases whose money was returned. */
export async function readDebts(db: PersonalTables, userId: string): Promise<readonly object[]> {
  return db
    .selectFrom('revenue_purchase')
    .select(['lot_id as session_id', 'debt as owed_credits', 'reversal_id'])
    .where('user_id', '=', userId)
    .where('reversal_id', 'is not', null)
    .orderBy('lot_id')
    .execute();
}
