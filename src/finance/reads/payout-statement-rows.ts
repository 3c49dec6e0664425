import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ListedPayoutStatement } from '../../contract/payouts.js';
import { type CreatorForUser, GetCreatorForUser } from '../../creators/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { Authenticator } from '../../platform/principal.js';
import { wireFields } from '../../platform/wire-fields.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FixedSum, type PeriodSums, StatementDiffersError, statementSums } from '../payouts/statement.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type FinanceTables, type PayoutTable } from '../tables.js';

/** A fixed payout, and the last one that was fixed before it. */
export type PayoutRow = PayoutTable & {
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
export abstract class StatementReads {
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

/**
 * Fixed payouts, each with the last one that was fixed before it and has no later cutoff. Payouts of a creator do not
 * overlap, so the previous one has been fixed before this one was drafted, and is the same at any time.
 */
export const FIXED = sql`
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

/** The kind of a line of a creator's share. A debit takes back. */
export const KIND = sql`case when reversal_id is null then 'earning' when cents > 0 then 'correction' else 'restoration' end`;

/** The lines of a creator's share that became payable between the two cutoffs. They never change after the last one. */
export function inPeriod(row: PayoutRow) {
  const from = fromOf(row);
  return sql`account = ${sql.lit(ACCOUNT.creatorShare)} and creator_id = ${row.creator_id}
    and payable_at < ${row.cutoff} ${from === null ? sql`` : sql`and payable_at >= ${from}`}`;
}

/** @throws DomainError unavailable when the books do not have what was fixed */
export function sumsOf(row: PayoutRow, period: PeriodSums) {
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

export function fixedSum(previous: PayoutRow['previous']): FixedSum | null {
  return previous && { payableCents: previous.payable_cents, paidCents: previous.paid_before_cents };
}

export function fromOf({ previous }: PayoutRow): Date | null {
  return previous ? new Date(previous.cutoff) : null;
}

export function toListed(row: PayoutRow): ListedPayoutStatement {
  return {
    payout_id: row.payout_id,
    number: referenceOf(row.payout_id),
    run_number: row.run_number,
    from: fromOf(row)?.toISOString() ?? null,
    ...wireFields(row, ['cutoff', 'fixed_at', 'amount_cents']),
    state: row.step,
    bank_reference: row.reference,
    paid_on: row.paid_on,
  };
}

function refused(): DomainError {
  return new DomainError('forbidden', 'Statement not found or access denied');
}
