import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { addMonths, monthName, monthOf, startOfMonth } from '../../revenue/index.js';
import { type MonthClosed } from '../processor/events.js';
import { type ProcessorHead, ProcessorStore } from '../processor/processor-store.js';
import { FIRST } from '../reads/balances.js';
import { BOOKS_PROJECTION } from '../reads/books-projection.js';
import { payoutsProjection } from '../reads/payouts-projection.js';
import { processorProjection } from '../reads/processor-projection.js';
import { accountsAt, type FiguresAt } from '../reads/trial-balance.js';
import { SETTLED_AFTER_MS } from '../settled.js';
import { type ClosedMonthTable, type FinanceTables } from '../tables.js';
import { LogHasAllBefore } from './log-has-all-before.js';

/** The figures of a month are read from these. */
const PROJECTIONS = [BOOKS_PROJECTION, payoutsProjection, processorProjection];
/** Time limit for the projections to apply what is stored (milliseconds). */
const WAIT_MS = 1_500;

/** A closed month, without its figures. */
export type MonthClose = Pick<ClosedMonthTable, 'month' | 'closed_at' | 'closed_by'>;

/** The closed months, and the first open one. */
export interface ClosingState {
  /** The first open month; null while the books have no entry. */
  readonly next: string | null;
  /** The close of the month that was asked for; null: it is open. */
  readonly closed: MonthClose | null;
  /** Transactions up to the end of `next` for which the ledger has nothing, and their sum, US cents. */
  readonly openTransactions: number;
  readonly openCents: number;
  /** Projections whose tables are of another version than this program. */
  readonly outdated: readonly string[];
}

/** Decides when the next month can be closed, and reads the figures that the close fixes. */
@Injectable()
export class MonthClosing {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly store: ProcessorStore,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /** The end of the stream, once its events are in the rows. An append behind it fails if another event comes first. */
  async head(): Promise<ProcessorHead> {
    const head = await this.store.head();
    if (head.position !== null) await this.projections.catchUp(processorProjection.name);
    return head;
  }

  /** @param wanted YYYY-MM; null: none */
  async state(wanted: string | null): Promise<ClosingState> {
    const names = PROJECTIONS.map(({ name }) => name);
    const { rows } = await sql<StateRow>`
      with place as (
        select (${FIRST}) as begins_at, (select max(month) from book_closed_month) as last_closed
      ), next as (
        select case when last_closed is null then date_trunc('month', begins_at at time zone 'UTC')
          else to_date(last_closed, 'YYYY-MM') + interval '1 month' end as starts_at from place
      ), open as (
        select count(*)::integer as count, coalesce(sum(gross_cents), 0)::bigint as cents
        from processor_transaction, next
        where session_id is null and disowned_version is null
          and kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed')
          and created_at < (starts_at + interval '1 month') at time zone 'UTC'
      )
      select to_char(next.starts_at, 'YYYY-MM') as next, open.count as open_transactions, open.cents as open_cents,
        c.month, c.closed_at, c.closed_by,
        (select coalesce(json_object_agg(name, version), '{}') from projection_checkpoint
         where name = any(${names}::text[])) as versions
      from next cross join open left join book_closed_month c on c.month = ${wanted}`.execute(this.db);
    const row = rows[0];
    const { month = null, closed_at: closedAt = null, closed_by: closedBy = null } = row ?? {};
    return {
      next: row?.next ?? null,
      closed:
        month === null || closedAt === null || closedBy === null
          ? null
          : { month, closed_at: closedAt, closed_by: closedBy },
      openTransactions: row?.open_transactions ?? 0,
      openCents: row?.open_cents ?? 0,
      outdated: PROJECTIONS.filter(({ name, version }) => row?.versions[name] !== version).map(({ name }) => name),
    };
  }

  /** Why the next month cannot be closed now; null: it can. */
  async refusal({ next, outdated }: ClosingState): Promise<DomainError | null> {
    if (next === null) return new DomainError('conflict', 'The books have no entry yet.');
    const end = startOfMonth(addMonths(next, 1));
    const now = this.clock.now().getTime();
    if (now < end.getTime()) return new DomainError('conflict', `${monthName(next)} has not ended yet.`);
    if (now < end.getTime() + SETTLED_AFTER_MS) {
      return new DomainError('conflict', `${monthName(next)} can be closed 15 minutes after its end.`);
    }
    if (outdated.length > 0) {
      return new DomainError('unavailable', 'The books are being rebuilt. The month can be closed afterwards.');
    }
    if (!(await this.queries.execute(new LogHasAllBefore(end)))) {
      const message = `The public log does not have all events of ${monthName(next)} yet. Please try again in a minute.`;
      return new DomainError('unavailable', message);
    }
    if (await this.areProjected()) return null;
    return new DomainError('unavailable', 'The books do not have all events yet. Please try again in a moment.');
  }

  /** The figures of the last instant of a month; of one that has not ended: of now. */
  async figures(month: string): Promise<FiguresAt> {
    const last = lastInstantOf(month);
    const now = this.clock.now();
    return accountsAt(this.db, last < now ? last : now);
  }

  private async areProjected(): Promise<boolean> {
    const position = await this.eventStore.lastPosition();
    if (position === null) return true;
    const waits = PROJECTIONS.map(({ name }) => this.projections.waitFor(position, { timeoutMs: WAIT_MS, name }));
    return (await Promise.all(waits)).every(Boolean);
  }
}

interface StateRow {
  readonly next: string | null;
  readonly open_transactions: number;
  readonly open_cents: number;
  readonly month: string | null;
  readonly closed_at: Date | null;
  readonly closed_by: string | null;
  readonly versions: Readonly<Record<string, number>>;
}

/** Times have milliseconds. An entry of the first instant of the next month is not in the month. */
export function lastInstantOf(month: string): Date {
  return new Date(startOfMonth(addMonths(month, 1)).getTime() - 1);
}

/** The event that closes a month with these figures. */
export function closeOf(
  month: string,
  { accounts, creatorShare: parts }: Pick<FiguresAt, 'accounts' | 'creatorShare'>,
): { type: 'MonthClosed'; data: MonthClosed } {
  if (parts === null) throw new Error(`${month} is a month of rule 1, which is closed.`);
  const balances = accounts.flatMap(({ account: { account }, cents, credits }) =>
    cents === null ? [] : [{ account, cents, credits: credits ?? 0 }],
  );
  const creatorShare = {
    ...{ pendingCents: parts.pending_cents, payableCents: parts.payable_cents, debtCents: parts.debt_cents },
  };
  return { type: 'MonthClosed', data: { schemaVersion: 2, month, balances, creatorShare } };
}

/** Whether the month may be asked for: the next one. @throws DomainError conflict for any other open month */
export function checkNext(month: string, next: string | null, now: Date): void {
  if (month === next || next === null) return;
  if (month < next) throw new DomainError('invalid', `The books begin after ${monthName(month)}.`);
  if (month >= monthOf(now)) throw new DomainError('conflict', `${monthName(month)} has not ended yet.`);
  throw new DomainError('conflict', `Months are closed in order. Close ${monthName(next)} first.`);
}
