import { type Kysely, type RawBuilder, sql } from 'kysely';
import { creatorsAfter, dueBefore, theseCreators } from '../reads/creator-sums.js';
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
  return sharesOf(db, creatorsAfter(after, limit), cutoff);
}

/** Like {@link readPayableShares}, of these creators. */
export async function payableSharesOf(
  db: Kysely<FinanceTables>,
  cutoff: Date,
  creatorIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const shares = await sharesOf(db, theseCreators(creatorIds), cutoff);
  return new Map(shares.map(({ creator_id: creatorId, payable_cents: cents }) => [creatorId, cents]));
}

async function sharesOf(
  db: Kysely<FinanceTables>,
  creators: RawBuilder<unknown>,
  cutoff: Date,
): Promise<readonly PayableShare[]> {
  const { rows } = await sql<PayableShare>`
    select page.creator_id, ${dueBefore(sql<string>`page.creator_id`, cutoff)} as payable_cents
    from (${creators}) as page order by page.creator_id`.execute(db);
  return rows;
}
