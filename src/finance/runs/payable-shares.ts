import { type Kysely, sql } from 'kysely';
import { ACCOUNT } from '../chart-of-accounts.js';
import { startOf } from '../reads/book-sums.js';
import { type FinanceTables } from '../tables.js';

/** The payable shares of a creator. */
export interface PayableShare {
  readonly creator_id: string;
  /** All shares that became payable before the cutoff, US cents. */
  readonly payable_cents: number;
}

/** Creators with earnings, in the order of their ids, with what was payable before a midnight (UTC). One statement. */
export async function readPayableShares(
  db: Kysely<FinanceTables>,
  { cutoff, after, limit }: { readonly cutoff: Date; readonly after: string; readonly limit: number },
): Promise<readonly PayableShare[]> {
  const { rows } = await sql<PayableShare>`
    with page as (
      select distinct creator_id from book_creator_sum
      where unit = 'month' and account = ${ACCOUNT.creatorShare} and creator_id > ${after}
      order by creator_id limit ${limit}
    )
    ${sharesOf(sql`page`, cutoff)}`.execute(db);
  return rows;
}

/** Like {@link readPayableShares}, of these creators. */
export async function payableSharesOf(
  db: Kysely<FinanceTables>,
  cutoff: Date,
  creatorIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<PayableShare>`
    ${sharesOf(sql`unnest(${creatorIds}::text[]) as page (creator_id)`, cutoff)}`.execute(db);
  return new Map(rows.map(({ creator_id: creatorId, payable_cents: cents }) => [creatorId, cents]));
}

function sharesOf(page: ReturnType<typeof sql>, cutoff: Date) {
  const month = startOf('month', cutoff);
  return sql`
    select page.creator_id, (-share.cents)::bigint as payable_cents
    from ${page}
    cross join lateral (
      select coalesce(sum(cents), 0) as cents
      from (
        select cents from book_creator_sum s
        where unit = 'month' and account = ${ACCOUNT.creatorPayable} and s.creator_id = page.creator_id
          and starts_at < ${month}
        union all
        select cents from book_creator_sum s
        where unit = 'day' and account = ${ACCOUNT.creatorPayable} and s.creator_id = page.creator_id
          and starts_at >= ${month} and starts_at < ${cutoff}
      ) as parts
    ) as share
    order by page.creator_id`;
}
