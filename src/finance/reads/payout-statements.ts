import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import {
  type ListedPayoutStatement,
  type PayoutStatement,
  type PayoutStatements,
  type StatementRecipient,
} from '../../contract/payouts.js';
import { type CreatorForUser, GetCreatorForUser, GetOwnPayoutDetails } from '../../creators/index.js';
import { csvLine, dollars } from '../../platform/csv.js';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { DATABASE } from '../../platform/database/database.js';
import { QueryOf } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { Authenticator } from '../../platform/principal.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import {
  type FixedSum,
  openingCents,
  type PeriodSums,
  StatementDiffersError,
  statementSums,
} from '../payouts/statement.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type BookEntryTable, type FinanceTables, type PayoutTable } from '../tables.js';
import { type PayoutPlace } from './creator-payouts.js';

/** Lines read at once. */
const PAGE = 1000;

/**
 * The statements of a creator's payouts, the latest first, for the creator in any status, admins and finance.
 * @param input `before` null: from the latest one; `userId`: who asks
 * @throws DomainError forbidden, also for an unknown creator
 */
export class ListPayoutStatements extends QueryOf<
  {
    readonly creatorId: string;
    readonly userId: string;
    readonly limit: number;
    readonly before: PayoutPlace | null;
  },
  PayoutStatements
> {}

/**
 * The statement of a payout, for its creator, admins and finance.
 * @param input `userId`: who asks
 * @throws DomainError forbidden, also for an unknown payout and one whose amount is not final; unavailable when the
 *   books do not have what was fixed
 */
export class GetPayoutStatement extends QueryOf<
  { readonly payoutId: string; readonly userId: string },
  PayoutStatement
> {}

/**
 * The statement with its lines as CSV, in parts that are read one after the other. Refuses like the query, except that
 * it ends early when the books do not have what was fixed.
 */
export class ExportPayoutStatement extends QueryOf<
  { readonly payoutId: string; readonly userId: string },
  AsyncIterable<string>
> {}

/** A fixed payout, and the last one that was fixed before it. */
type PayoutRow = PayoutTable & {
  readonly run_number: number | null;
  readonly fixed_at: Date;
  readonly previous: {
    readonly payout_id: string;
    readonly cutoff: string;
    readonly payable_cents: number;
    readonly paid_before_cents: number;
  } | null;
};

/** Statements that their creator, admins and finance may read. */
@Injectable()
abstract class StatementReads {
  constructor(
    @Inject(DATABASE) protected readonly db: Kysely<FinanceTables>,
    protected readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  /** @throws DomainError forbidden, also for an unknown payout */
  protected async payout(
    payoutId: string,
    userId: string,
  ): Promise<{ row: PayoutRow; creator: CreatorForUser | null }> {
    const { rows } = await sql<PayoutRow>`${FIXED} and p.payout_id = ${payoutId}`.execute(this.db);
    const creator = await this.readable(rows[0]?.creator_id ?? null, userId);
    if (!rows[0]) throw refused();
    return { row: rows[0], creator };
  }

  /**
   * The creator, when the user may read their payouts. Admins and finance may also read those of deleted creators.
   * @throws DomainError forbidden, the same for unknown creators and for callers without the right
   */
  protected async readable(creatorId: string | null, userId: string): Promise<CreatorForUser | null> {
    const creator =
      creatorId === null ? null : await this.queries.execute(new GetCreatorForUser({ creator: creatorId, userId }));
    if (creator?.isUser) return creator;
    const roles = await this.authenticator.rolesOf(userId);
    if (roles.has('admin') || roles.has('finance')) return creator;
    throw refused();
  }
}

@QueryHandler(ListPayoutStatements)
export class ListPayoutStatementsHandler extends StatementReads implements IQueryHandler<ListPayoutStatements> {
  async execute({ input: { creatorId, userId, limit, before } }: ListPayoutStatements): Promise<PayoutStatements> {
    await this.readable(creatorId, userId);
    const { rows } = await sql<PayoutRow & { pictures: number }>`
      select fixed.*, ${picturesOf(
        sql`${creatorId}::text`,
        sql`payable_at < fixed.cutoff
        and payable_at >= coalesce((fixed.previous ->> 'cutoff')::timestamptz, '-infinity')`,
      )} as pictures
      from (
        ${FIXED} and p.creator_id = ${creatorId}
          ${before ? sql`and (p.drafted_at, p.payout_id) < (${before.draftedAt}::timestamptz, ${before.payoutId})` : sql``}
        order by p.drafted_at desc, p.payout_id desc limit ${limit + 1}
      ) as fixed
      order by fixed.drafted_at desc, fixed.payout_id desc`.execute(this.db);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      statements: page.map((row) => ({ ...toListed(row), pictures: row.pictures })),
      total: await this.totalOf(creatorId),
      next: rows.length > limit && last ? `${last.drafted_at.toISOString()} ${last.payout_id}` : null,
    };
  }

  private async totalOf(creatorId: string): Promise<PayoutStatements['total']> {
    const found = await sql<PayoutStatements['total']>`
      select made.payouts, made.amount_cents,
        ${picturesOf(sql`${creatorId}::text`, sql`payable_at < made.cutoff`)} as pictures
      from (
        select count(*)::int as payouts, coalesce(sum(amount_cents), 0)::bigint as amount_cents, max(cutoff) as cutoff
        from payout where creator_id = ${creatorId} and step in ('fixed', 'checked', 'paid')
      ) as made`.execute(this.db);
    return onlyRow(found);
  }
}

@QueryHandler(GetPayoutStatement)
export class GetPayoutStatementHandler extends StatementReads implements IQueryHandler<GetPayoutStatement> {
  async execute({ input: { payoutId, userId } }: GetPayoutStatement): Promise<PayoutStatement> {
    const { row, creator } = await this.payout(payoutId, userId);
    const period = await this.periodOf(row);
    return {
      ...toListed(row),
      creator_id: row.creator_id,
      creator_name: creator?.name ?? null,
      recipient: creator?.isUser === true ? await this.recipient(userId) : null,
      previous_number: row.previous && referenceOf(row.previous.payout_id),
      ...sumsOf(row, period),
      ...period,
    };
  }

  /** Sums of the lines that became payable between the two cutoffs. */
  private async periodOf(row: PayoutRow): Promise<PeriodSums> {
    const found = await sql<PeriodSums>`
      select
        json_build_object('count', count(distinct deduction_id) filter (where kind = 'earning'),
          'cents', coalesce(-sum(cents) filter (where kind = 'earning'), 0)) as earnings,
        json_build_object('count', count(*) filter (where kind = 'correction'),
          'cents', coalesce(-sum(cents) filter (where kind = 'correction'), 0)) as corrections,
        json_build_object('count', count(*) filter (where kind = 'restoration'),
          'cents', coalesce(-sum(cents) filter (where kind = 'restoration'), 0)) as restorations
      from (select deduction_id, cents, ${KIND} as kind from book_entry where ${inPeriod(row)}) as lines`.execute(
      this.db,
    );
    return onlyRow(found);
  }

  private async recipient(userId: string): Promise<StatementRecipient | null> {
    const details = await this.queries.execute(new GetOwnPayoutDetails({ userId }));
    if (!details) return null;
    const { legal_name, country, account_ending } = details;
    return { legal_name, country, account_ending };
  }
}

@QueryHandler(ExportPayoutStatement)
export class ExportPayoutStatementHandler extends StatementReads implements IQueryHandler<ExportPayoutStatement> {
  async execute({ input: { payoutId, userId } }: ExportPayoutStatement): Promise<AsyncIterable<string>> {
    const { row, creator } = await this.payout(payoutId, userId);
    return this.parts(row, creator?.name ?? null);
  }

  /** Ends early when the lines do not give the amount that was fixed. */
  private async *parts(row: PayoutRow, creatorName: string | null): AsyncGenerator<string> {
    const number = referenceOf(row.payout_id);
    const line = (kind: string, values: readonly (string | null)[], cents: number): string =>
      csvLine([number, row.creator_id, creatorName, kind, ...values, dollars(cents)]);
    yield csvLine([
      ...['statement', 'creator_id', 'creator', 'kind', 'id', 'image_id', 'occurred_at', 'payable_at', 'amount_usd'],
    ]);
    const before = row.previous && referenceOf(row.previous.payout_id);
    const from = fromOf(row)?.toISOString() ?? null;
    yield line('opening', [before, null, null, from], openingCents(fixedSum(row.previous)));
    const none = { count: 0, cents: 0 };
    let change = 0;
    for (let after: StatementLine | null = null, more = true; more;) {
      const page: readonly StatementLine[] = await this.read(row, after);
      yield page
        .map((each) => {
          const times = [each.occurred_at.toISOString(), each.payable_at.toISOString()];
          return line(each.kind, [lineId(each), each.deduction_id, ...times], -each.cents);
        })
        .join('');
      change -= page.reduce((sum, { cents }) => sum + cents, 0);
      after = page.at(-1) ?? null;
      more = page.length === PAGE;
    }
    const sums = sumsOf(row, { earnings: { count: 0, cents: change }, corrections: none, restorations: none });
    yield line('paid', [null, null, null, null], 0 - sums.paid_cents);
    yield line('amount', [number, null, null, row.cutoff.toISOString()], sums.amount_cents);
  }

  /** The next lines of the period, by the time when they became payable. */
  private async read(row: PayoutRow, after: StatementLine | null): Promise<readonly StatementLine[]> {
    const place = after
      ? // The first condition is for the index.
        sql`payable_at >= ${after.payable_at} and (payable_at, user_id, version, line)
          > (${after.payable_at}, ${after.user_id}, ${after.version}::integer, ${after.line}::integer)`
      : sql`true`;
    const { rows } = await sql<StatementLine>`
      select user_id, version, line, deduction_id, cents, occurred_at, payable_at, ${KIND} as kind
      from book_entry where ${inPeriod(row)} and ${place}
      order by payable_at, user_id, version, line limit ${PAGE}`.execute(this.db);
    return rows;
  }
}

type StatementLine = Pick<BookEntryTable, 'user_id' | 'version' | 'line' | 'cents' | 'occurred_at'> & {
  readonly deduction_id: string;
  readonly payable_at: Date;
  readonly kind: 'earning' | 'correction' | 'restoration';
};

/** The kind of a line of a creator's share. A debit takes back. */
const KIND = sql`case when reversal_id is null then 'earning' when cents > 0 then 'correction' else 'restoration' end`;

/** A hash without the fan: a line's id says nothing about who paid it. An image has one fan. */
function lineId({ deduction_id: imageId, version, line }: StatementLine): string {
  const place = JSON.stringify([imageId, version, line]);
  return createHash('sha256').update(place).digest('hex').slice(0, 32);
}

/** The lines of a creator's share that became payable between the two cutoffs. They never change after the last one. */
function inPeriod(row: PayoutRow) {
  const from = fromOf(row);
  return sql`account = ${sql.lit(ACCOUNT.creatorShare)} and creator_id = ${row.creator_id}
    and payable_at < ${row.cutoff} ${from === null ? sql`` : sql`and payable_at >= ${from}`}`;
}

function fromOf({ previous }: PayoutRow): Date | null {
  return previous ? new Date(previous.cutoff) : null;
}

/** An expression: pictures with earnings among lines of a creator's share; at most {@link COUNTED_TO}. */
function picturesOf(creatorId: RawBuilder<unknown>, period: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select count(*)::int from (
      select distinct deduction_id from book_entry
      where account = ${sql.lit(ACCOUNT.creatorShare)} and creator_id = ${creatorId} and ${period}
        and reversal_id is null
      limit ${COUNTED_TO}
    ) as counted
  )`;
}

/**
 * Fixed payouts, each with the last one that was fixed before it and has no later cutoff. Payouts of a creator do not
 * overlap, so the previous one has been fixed before this one was drafted, and is the same at any time.
 */
const FIXED = sql`
  select p.*, r.number as run_number, (
    select json_build_object('payout_id', e.payout_id, 'cutoff', e.cutoff, 'payable_cents', e.payable_cents,
      'paid_before_cents', e.paid_before_cents)
    from payout e
    where e.creator_id = p.creator_id and e.drafted_at < p.drafted_at and e.fixed_at is not null
      and e.cutoff <= p.cutoff
    order by e.cutoff desc, e.drafted_at desc limit 1
  ) as previous
  from payout p left join payout_run r on r.id = p.run_id::uuid
  where p.fixed_at is not null`;

/** @throws DomainError unavailable when the books do not have what was fixed */
function sumsOf(row: PayoutRow, period: PeriodSums) {
  try {
    const fixed = { payableCents: row.payable_cents, paidCents: row.paid_before_cents };
    const sums = statementSums(fixed, fixedSum(row.previous), period);
    return { opening_cents: sums.openingCents, paid_cents: sums.paidCents, amount_cents: sums.amountCents };
  } catch (error) {
    if (!(error instanceof StatementDiffersError)) throw error;
    throw new DomainError('unavailable', 'The statement cannot be made: the books differ from the payout.', {
      cause: error,
    });
  }
}

function fixedSum(previous: PayoutRow['previous']): FixedSum | null {
  return previous && { payableCents: previous.payable_cents, paidCents: previous.paid_before_cents };
}

function toListed(row: PayoutRow): ListedPayoutStatement {
  return {
    payout_id: row.payout_id,
    number: referenceOf(row.payout_id),
    run_number: row.run_number,
    from: fromOf(row)?.toISOString() ?? null,
    cutoff: row.cutoff.toISOString(),
    fixed_at: row.fixed_at.toISOString(),
    amount_cents: row.amount_cents,
    state: row.step,
    ...{ bank_reference: row.reference, paid_on: row.paid_on },
  };
}

function refused(): DomainError {
  return new DomainError('forbidden', 'Statement not found or access denied');
}
