import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorLiabilities } from '../../contract/finance.js';
import { GetCreators } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { ACCOUNT, type AccountNumber } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { balancesAt } from './balances.js';
import { startOf } from './book-sums.js';
import { creatorBalances, OF_CREATORS } from './creator-balances.js';
import { checkedInstant } from './periods.js';

/**
 * The shares of creators at an instant, in the order of their ids.
 * @param input `at` null: now; `after`: the id of a creator; null: from the first one
 */
export class ListCreatorLiabilities extends Query<CreatorLiabilities> {
  constructor(readonly input: { readonly at: Date | null; readonly limit: number; readonly after: string | null }) {
    super();
  }
}

/** Cents that are owed. */
interface Owed {
  readonly creator_id: string;
  readonly posted: number;
  /** Of it, what has become payable, before payouts. */
  readonly payable: number;
  /** Taken by payouts: under way or paid. */
  readonly taken: number;
  readonly paid: number;
}

@QueryHandler(ListCreatorLiabilities)
export class ListCreatorLiabilitiesHandler implements IQueryHandler<ListCreatorLiabilities> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
  ) {}

  /** @throws DomainError invalid for an instant in the future, or before the first entry */
  async execute({ input: { at: wanted, limit, after } }: ListCreatorLiabilities): Promise<CreatorLiabilities> {
    const now = this.clock.now();
    const accounts = [ACCOUNT.creatorShare, ...OF_CREATORS];
    const { balances, beginsAt, debtCents } = await balancesAt(this.db, wanted ?? now, accounts);
    const at = checkedInstant(wanted, { now, beginsAt });
    const totals = creatorBalances(balances, debtCents);
    const owed = (account: AccountNumber): number => 0 - (totals.get(account) ?? 0);
    const page = await readLiabilities({ db: this.db, queries: this.queries }, { at, limit, after });
    return {
      at: at.toISOString(),
      pending_cents: owed(ACCOUNT.creatorPending),
      payable_cents: owed(ACCOUNT.creatorPayable),
      under_way_cents: owed(ACCOUNT.payoutsUnderWay),
      paid_cents: owed(ACCOUNT.payoutsPaid),
      debt_cents: totals.get(ACCOUNT.creatorDebt) ?? 0,
      ...page,
    };
  }
}

/** A page of creators with what they are owed, in two statements. */
export async function readLiabilities(
  { db, queries }: { readonly db: Kysely<FinanceTables>; readonly queries: QueryBus },
  { at, limit, after }: { readonly at: Date; readonly limit: number; readonly after: string | null },
): Promise<Pick<CreatorLiabilities, 'creators' | 'next'>> {
  const found = await readOwed(db, at, limit + 1, after);
  const page = found.slice(0, limit);
  const creators = await queries.execute(
    new GetCreators({ creatorIds: page.map(({ creator_id: creator }) => creator) }),
  );
  return {
    creators: page.map((owed) => ({
      creator_id: owed.creator_id,
      name: creators.get(owed.creator_id)?.name ?? null,
      username: creators.get(owed.creator_id)?.username ?? null,
      pending_cents: owed.posted - owed.payable,
      payable_cents: Math.max(0, owed.payable - owed.taken),
      under_way_cents: owed.taken - owed.paid,
      paid_cents: owed.paid,
      debt_cents: Math.max(0, owed.taken - owed.payable),
    })),
    next: found.length > limit ? (page.at(-1)?.creator_id ?? null) : null,
  };
}

async function readOwed(
  db: Kysely<FinanceTables>,
  at: Date,
  limit: number,
  after: string | null,
): Promise<readonly Owed[]> {
  const [month, day] = [startOf('month', at), startOf('day', at)];
  const sums = (account: number) => sql`
      select cents from book_creator_sum s
      where unit = 'month' and account = ${account} and s.creator_id = page.creator_id and starts_at < ${month}
      union all
      select cents from book_creator_sum s
      where unit = 'day' and account = ${account} and s.creator_id = page.creator_id
        and starts_at >= ${month} and starts_at < ${day}`;
  const { rows } = await sql<Owed>`
      with page as (
        select distinct creator_id from book_creator_sum
        where unit = 'month' and account = ${ACCOUNT.creatorShare} and creator_id > ${after ?? ''}
        order by creator_id limit ${limit}
      ), today as materialized (
        select creator_id, sum(cents) as cents from book_entry
        where account = ${ACCOUNT.creatorShare} and payable_at >= ${day} and payable_at <= ${at} group by creator_id
      )
      select page.creator_id, (-posted.cents)::bigint as posted,
        -(payable.cents + coalesce(today.cents, 0))::bigint as payable,
        payouts.taken::bigint as taken, payouts.paid::bigint as paid
      from page
      cross join lateral (
        select coalesce(sum(cents) filter (where account = ${ACCOUNT.creatorPayable}), 0) as taken,
          coalesce(-sum(cents) filter (where account = ${ACCOUNT.payoutsPaid}), 0) as paid
        from payout_entry p where p.creator_id = page.creator_id and occurred_at <= ${at}
      ) as payouts
      cross join lateral (
        select coalesce(sum(cents), 0) as cents
        from (
          ${sums(ACCOUNT.creatorShare)}
          union all
          select cents from book_entry e
          where e.account = ${ACCOUNT.creatorShare} and e.creator_id = page.creator_id
            and occurred_at >= ${day} and occurred_at <= ${at}
        ) as parts
      ) as posted
      cross join lateral (
        select coalesce(sum(cents), 0) as cents from (${sums(ACCOUNT.creatorPayable)}) as parts
      ) as payable
      left join today on today.creator_id = page.creator_id
      order by page.creator_id`.execute(db);
  return rows;
}
