import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { addMonths, monthName, monthOf, startOfMonth } from '../../revenue/index.js';
import { type ProcessorHead, ProcessorStore } from '../processor/processor-store.js';
import { FIRST } from '../reads/balances.js';
import { booksProjection } from '../reads/books-projection.js';
import { payoutsProjection } from '../reads/payouts-projection.js';
import { processorProjection } from '../reads/processor-projection.js';
import { accountsAt, type FiguresAt } from '../reads/trial-balance.js';
import { SETTLED_AFTER_MS } from '../settled.js';
import { type FinanceTables } from '../tables.js';

/** The figures of a month are read from these. */
const PROJECTIONS = [booksProjection, payoutsProjection, processorProjection];
const WAIT_MS = 2_000;

/** The closed months, and the first open one. */
export interface ClosingState {
  /** The first open month; null while the books have no entry. */
  readonly next: string | null;
  /** Transactions up to the end of `next` for which the ledger has nothing, and their sum, US cents. */
  readonly openTransactions: number;
  readonly openCents: number;
  /** Projections whose tables are of another version than this program. */
  readonly outdated: readonly string[];
  /** The public log has every event that was stored until then; null: unknown. */
  readonly logUntil: Date | null;
}

/** Decides when the next month can be closed, and reads the figures that the close fixes. */
@Injectable()
export class MonthClosing {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly store: ProcessorStore,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly clock: Clock,
  ) {}

  /** The end of the stream, once its events are in the rows. An append behind it fails if another event comes first. */
  async head(): Promise<ProcessorHead> {
    const head = await this.store.head();
    if (head.position !== null) await this.projections.catchUp(processorProjection.name);
    return head;
  }

  async state(): Promise<ClosingState> {
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
        (select complete_until from log_reach) as log_until,
        (select coalesce(json_object_agg(name, version), '{}') from projection_checkpoint
         where name = any(${names}::text[])) as versions
      from next cross join open`.execute(this.db);
    const row = rows[0];
    return {
      next: row?.next ?? null,
      openTransactions: row?.open_transactions ?? 0,
      openCents: row?.open_cents ?? 0,
      outdated: PROJECTIONS.filter(({ name, version }) => row?.versions[name] !== version).map(({ name }) => name),
      logUntil: row?.log_until ?? null,
    };
  }

  /** Why the next month cannot be asked for now; null: it can. */
  refusal({ next }: ClosingState): DomainError | null {
    if (next === null) return new DomainError('conflict', 'The books have no entry yet.');
    const now = this.clock.now().getTime();
    const end = startOfMonth(addMonths(next, 1)).getTime();
    if (now < end) return new DomainError('conflict', `${monthName(next)} has not ended yet.`);
    if (now >= end + SETTLED_AFTER_MS) return null;
    return new DomainError('conflict', `${monthName(next)} can be closed 15 minutes after its end.`);
  }

  /** Why a close of the month has to wait for the log or a rebuild; null: it does not. */
  lag(month: string, { outdated, logUntil }: ClosingState): string | null {
    if (outdated.length > 0) return 'The books are being rebuilt. The month can be closed afterwards.';
    const settled = startOfMonth(addMonths(month, 1)).getTime() + SETTLED_AFTER_MS;
    if (logUntil !== null && logUntil.getTime() >= settled) return null;
    return `The public log does not have all events of ${monthName(month)} yet.`;
  }

  /** Whether the books have everything that is stored now. Waits up to two seconds for them. */
  async areProjected(): Promise<boolean> {
    const position = await this.eventStore.lastPosition();
    if (position === null) return true;
    const waits = PROJECTIONS.map(({ name }) => this.projections.waitFor(position, { timeoutMs: WAIT_MS, name }));
    return (await Promise.all(waits)).every(Boolean);
  }

  /** The figures of the last instant of a month; of one that has not ended: of now. */
  async figures(month: string): Promise<FiguresAt> {
    const last = lastInstantOf(month);
    const now = this.clock.now();
    return accountsAt(this.db, last < now ? last : now);
  }
}

interface StateRow {
  readonly next: string | null;
  readonly open_transactions: number;
  readonly open_cents: number;
  readonly log_until: Date | null;
  readonly versions: Readonly<Record<string, number>>;
}

/** Times have milliseconds. An entry of the first instant of the next month is not in the month. */
export function lastInstantOf(month: string): Date {
  return new Date(startOfMonth(addMonths(month, 1)).getTime() - 1);
}

/** Whether the month may be asked for: the next one. @throws DomainError conflict for any other open month */
export function checkNext(month: string, next: string | null, now: Date): void {
  if (month === next || next === null) return;
  if (month < next) throw new DomainError('invalid', `The books begin after ${monthName(month)}.`);
  if (month >= monthOf(now)) throw new DomainError('conflict', `${monthName(month)} has not ended yet.`);
  throw new DomainError('conflict', `Months are closed in order. Close ${monthName(next)} first.`);
}
