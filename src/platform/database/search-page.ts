import { type RawBuilder, sql } from 'kysely';

/** A text that so many of the first rows contain is common: the order of the list finds a page sooner than an index. */
const PROBE = { rows: 1_000, matches: 2 } as const;

/** A search for a part of a text in a list that has an order. */
export interface ListSearch {
  /** A select of the rows of the list, without an order: `id`, the columns of the order and those of the text. */
  readonly rows: RawBuilder<unknown>;
  /** The columns of the order, after `order by`. An index of the table has it. */
  readonly order: RawBuilder<unknown>;
  /** The condition on the text that an index of trigrams answers. */
  readonly indexed: RawBuilder<boolean>;
  /** The same condition in a form that no index answers. */
  readonly matches: RawBuilder<boolean>;
  readonly limit: number;
  readonly offset: number;
  /** Most rows that the list counts. */
  readonly countedTo: number;
}

/**
 * A select of `id` and `total` for a page of a search, in no order. It reads a bounded number of rows in a table of any
 * size, for a text that any number of them contain:
 * - A page of a common text is found among the first `countedTo` rows of the list, which are also what is counted.
 * - Another page is found by the index of trigrams, which gives the exact count.
 * - A page of more than `countedTo` matches that the first rows do not fill is read in the order of the list.
 */
export function searchPage(search: ListSearch): RawBuilder<{ readonly id: string; readonly total: number }> {
  const { rows, order, indexed, matches, limit, offset } = search;
  const countedTo = sql.lit(search.countedTo);
  const first = (count: RawBuilder<number>): RawBuilder<unknown> =>
    sql`(select * from (${rows}) as listed order by ${order} limit ${count}) as first`;
  const isNear = sql`(select count(*) from near) > ${offset + limit}`;
  const isFar = sql`(select count(*) from found) > ${countedTo}`;
  const page = sql`order by ${order} limit ${limit} offset ${offset}`;
  return sql`
    with probe as materialized (
      select count(*) >= ${sql.lit(PROBE.matches)} as common from ${first(sql.lit(PROBE.rows))} where ${matches}
    ),
    near as materialized (
      select * from ${first(countedTo)} where ${matches} and (select common from probe)
    ),
    found as materialized (
      select * from (${rows}) as listed where ${indexed} and not ${isNear} limit ${sql.lit(search.countedTo + 1)}
    )
    (select id, (select count(*) from near)::int as total from near where ${isNear} ${page})
    union all
    (select id, (select count(*) from found)::int from found where not ${isFar} ${page})
    union all
    (select id, ${countedTo} from (${rows}) as listed where ${matches} and ${isFar} ${page})`;
}
