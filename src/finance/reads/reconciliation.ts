import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../contract/durations.js';
import {
  type DifferenceDay,
  type MovementKind,
  type OpenDifferences,
  type ProcessorWalk,
  type ReconciledKind,
  type Reconciliation,
} from '../../contract/reconciliation.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { DomainError } from '../../platform/domain-error.js';
import { isReturn, movementOf } from '../processor/differences.js';
import { type TransactionKind } from '../processor/events.js';
import { PROCESSOR_RUN } from '../processor/reconciliation-runs.js';
import { type FinanceTables, type ProcessorKindSumTable, type ReconciliationRunTable } from '../tables.js';
import { FIRST } from './balances.js';
import { startOf } from './book-sums.js';
import { gapsIn, readOpen } from './difference-rows.js';
import { type EntryPeriod } from './entry-sums.js';
import { checkPeriod } from './periods.js';

/** Days of the strip, today included. */
const DAYS_SHOWN = 30;

/** A period as a caller asks for it. Null: from the start of the current month, and to now. */
export interface AskedPeriod {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Both sides of a period, the balance at the processor, and the differences of the last days. */
export class GetReconciliation extends QueryOf<AskedPeriod, Reconciliation> {}

@QueryHandler(GetReconciliation)
export class GetReconciliationHandler extends ReadHandler<FinanceTables, GetReconciliation> {
  /** @throws DomainError invalid for a period that is not of whole days, in the future, or before the first movement */
  async execute({ input }: GetReconciliation): Promise<Reconciliation> {
    const now = this.clock.now();
    const beginnings = await beginningsOf(this.db);
    const period = checkedDays(input, now, beginnings);
    const sums = await kindSums(this.db, period);
    const first = new Date(startOf('day', now).getTime() - (DAYS_SHOWN - 1) * DAY_MS);
    const { sums: open, days } = await readOpen(this.db, { period, first, now });
    const kinds = kindsOf(sums);
    const total = (side: 'processor_cents' | 'ledger_cents' | 'difference_cents'): number =>
      kinds.reduce((cents, kind) => cents + kind[side], 0);
    const { begins_at: beginsAt, run } = beginnings;
    return {
      at: now.toISOString(),
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      begins_at: iso(beginsAt),
      ran_at: iso(run?.ran_at),
      again_at: iso(run?.next_at),
      failed_at: iso(run?.failed_at),
      compared_to: iso(run?.compared_to),
      kinds,
      processor_cents: total('processor_cents'),
      ledger_cents: total('ledger_cents'),
      difference_cents: total('difference_cents'),
      walk: beginsAt === null || period.to <= beginsAt ? null : walkOf(sums),
      open: openOf(open.count, open.cents, open.since),
      open_in_period: openOf(open.period_count, open.period_cents, open.period_since),
      days: days.map(({ day, open: count }): DifferenceDay => {
        const known = beginsAt !== null && day.getTime() + DAY_MS > beginsAt.getTime();
        return { day: day.toISOString().slice(0, 10), open: known ? count : null };
      }),
    };
  }
}

/** Beginnings of both sides, and the last run. */
export interface Beginnings {
  /** The processor's first movement. */
  readonly begins_at: Date | null;
  readonly books_begin_at: Date | null;
  readonly run: Omit<ReconciliationRunTable, 'name'> | null;
}

/** When both sides begin, and when they were compared. */
export async function beginningsOf(db: Kysely<FinanceTables>): Promise<Beginnings> {
  const { rows } = await sql<Omit<Beginnings, 'run'> & Partial<ReconciliationRunTable>>`
    select (select created_at from processor_transaction order by created_at, transaction_id limit 1) as begins_at,
      (${FIRST}) as books_begin_at, run.*
    from (select) as one left join reconciliation_run run on run.name = ${PROCESSOR_RUN}`.execute(db);
  const { begins_at = null, books_begin_at = null, next_at, ran_at, failed_at, compared_to } = rows[0] ?? {};
  // Without a row, every column of the run is null.
  const run = next_at
    ? { next_at, ran_at: ran_at ?? null, failed_at: failed_at ?? null, compared_to: compared_to ?? null }
    : null;
  return { begins_at, books_begin_at, run };
}

/**
 * The period that a caller asks for: whole UTC days, at most up to the end of today.
 * @throws DomainError invalid
 */
export function checkedDays(
  { from, to }: AskedPeriod,
  now: Date,
  { begins_at: theirs, books_begin_at: ours }: Pick<Beginnings, 'begins_at' | 'books_begin_at'>,
): EntryPeriod {
  const end = new Date(startOf('day', now).getTime() + DAY_MS);
  const period = { from: from ?? startOf('month', now), to: to ?? end };
  checkPeriod(period.from, period.to, now);
  for (const edge of [period.from, period.to]) {
    if (edge.getTime() % DAY_MS === 0) continue;
    throw new DomainError('invalid', 'The period must begin and end with a UTC day.');
  }
  if (period.to > end) throw new DomainError('invalid', 'The period must not end in the future.');
  const beginnings = [theirs, ours].flatMap((begin) => (begin === null ? [] : [begin.getTime()]));
  const beginsAt = new Date(Math.min(...beginnings));
  if (beginnings.length > 0 && period.to <= beginsAt) {
    throw new DomainError('invalid', `The books begin at ${beginsAt.toISOString()}.`);
  }
  return period;
}

interface KindSum {
  readonly kind: ProcessorKindSumTable['kind'];
  /** Sum of the net amounts before the period. */
  readonly net_before: number;
  readonly transactions: number;
  readonly gross: number;
  readonly fees: number;
  readonly matched: number;
  readonly matched_cents: number;
  /** Lines of the ledger without a transaction. */
  readonly missing: number;
  readonly missing_cents: number;
}

/**
 * The sums of each kind in a period of whole days, and before it, from the sums of months and days. With the ledger's
 * lines that have no transaction.
 */
async function kindSums(db: Kysely<FinanceTables>, { from, to }: EntryPeriod): Promise<readonly KindSum[]> {
  const month = startOf('month', from);
  const sum = (column: string) => sql`coalesce(sum(${sql.id(column)}) filter (where starts_at >= ${from}), 0)::bigint`;
  const { rows } = await sql<KindSum>`
    with part as (
      select * from processor_kind_sum where unit = 'month' and starts_at < ${month}
      union all
      select * from processor_kind_sum where unit = 'day' and starts_at >= ${month} and starts_at < ${to}
    ), theirs as (
      select kind, coalesce(sum(gross_cents - fee_cents) filter (where starts_at < ${from}), 0)::bigint as net_before,
        ${sum('transactions')} as transactions, ${sum('gross_cents')} as gross, ${sum('fee_cents')} as fees,
        ${sum('matched')} as matched, ${sum('matched_cents')} as matched_cents
      from part group by kind
    ), gap as (
      select kind, count(*) as missing, sum(cents)::bigint as missing_cents
      from (${gapsIn({ from, to })}) as line group by kind
    )
    select kind, coalesce(net_before, 0) as net_before, coalesce(transactions, 0) as transactions,
      coalesce(gross, 0) as gross, coalesce(fees, 0) as fees, coalesce(matched, 0) as matched,
      coalesce(matched_cents, 0) as matched_cents, coalesce(missing, 0) as missing,
      coalesce(missing_cents, 0) as missing_cents
    from theirs full join gap using (kind)`.execute(db);
  return rows;
}

const ALWAYS: readonly MovementKind[] = ['payment', 'refund', 'dispute', 'dispute_won'];

function kindsOf(sums: readonly KindSum[]): ReconciledKind[] {
  return [...ALWAYS, 'other' as const].flatMap((kind) => {
    const same = ours(sums).filter((each) => movementOf(each.kind) === kind);
    const counted = same.filter((each) => !isReturn(each.kind));
    const processorCents = total(same.map(({ gross }) => gross));
    const ledgerCents = total(same.map((each) => each.matched_cents + each.missing_cents));
    const row = {
      kind,
      processor_count: total(counted.map(({ transactions }) => transactions)),
      processor_cents: processorCents,
      ledger_count: total(counted.map(({ matched, missing }) => matched + missing)),
      ledger_cents: ledgerCents,
      difference_cents: processorCents - ledgerCents,
    };
    return kind === 'other' && row.processor_count === 0 ? [] : [row];
  });
}

type OwnSum = KindSum & { readonly kind: TransactionKind };

function ours(sums: readonly KindSum[]): OwnSum[] {
  return sums.filter((each): each is OwnSum => each.kind !== 'otherShop');
}

function walkOf(sums: readonly KindSum[]): ProcessorWalk {
  const own = ours(sums);
  const gross = (...kinds: TransactionKind[]): number =>
    total(own.filter(({ kind }) => kinds.includes(kind)).map((each) => each.gross));
  const opening = total(sums.map(({ net_before: cents }) => cents));
  const steps = {
    payments_cents: gross('charge'),
    refunds_cents: gross('refund', 'refundFailed'),
    disputes_cents: gross('dispute', 'disputeReversed'),
    fees_cents: gross('fee') - total(own.map(({ fees }) => fees)),
    bank_cents: gross('payout', 'payoutReturned'),
    other_cents: gross('other'),
    other_shops_cents: total(sums.map((each) => (each.kind === 'otherShop' ? each.gross - each.fees : 0))),
  };
  return { opening_cents: opening, ...steps, closing_cents: opening + total(Object.values(steps)) };
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, each) => sum + each, 0);
}

function openOf(count: number, cents: number, since: Date | null): OpenDifferences {
  return { count, cents, since: iso(since) };
}

function iso(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null;
}
