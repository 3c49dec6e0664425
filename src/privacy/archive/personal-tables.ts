import { type Kysely } from 'kysely';
import { type CreatorTables } from '../../creators/tables.js';
import { type FinanceTables } from '../../finance/tables.js';
import { type GalleryTables } from '../../gallery/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { type IdentityTables } from '../../identity/tables.js';
import { type PaymentTables } from '../../payments/tables.js';
import { type RevenueTables } from '../../revenue/tables.js';

/** The tables of all contexts that hold data of a person. */
export type PersonalTables = Kysely<
  IdentityTables & CreatorTables & GenerationTables & GalleryTables & PaymentTables & RevenueTables & FinanceTables
>;

/** Rows in memory at a time. */
const ROWS_PER_READ = 200;

/**
 * The non-empty pages of a query.
 * @param read returns the first `limit` rows after `last`; null: the first rows
 */
export async function* inPages<Row>(
  read: (last: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | null = null;
  for (;;) {
    const page: readonly Row[] = await read(last, ROWS_PER_READ);
    if (page.length > 0) yield page;
    last = page.at(-1) ?? null;
    if (page.length < ROWS_PER_READ) return;
  }
}
