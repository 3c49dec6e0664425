import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/durations.js';
import {
  FindOtherShops,
  FindPaidSessions,
  ProcessorNotFoundError,
  type ProcessorTransaction,
  type ProcessorTransactions,
  ReadTransactions,
} from '../../payments/index.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { UnknownOutcomeError, WrongExpectedVersionError } from '../../platform/event-store/event-store.js';
import { Locks } from '../../platform/locks.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { within } from '../../platform/within.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type LedgerMatch, type TransactionEvent, type TransactionKind } from '../processor/events.js';
import { type ProcessorHead, ProcessorStore } from '../processor/processor-store.js';
import { type CashLine, disownedOf, isShopless, kindOf, matchOf, recordOf } from '../processor/transactions.js';
import { ReconciliationRuns } from '../processor/reconciliation-runs.js';
import { processorProjection } from '../reads/processor-projection.js';
import { type FinanceTables, type ProcessorTransactionTable } from '../tables.js';
import { LedgerComparison } from './ledger-comparison.js';

/** Transactions of this time before the newest recorded one are read again, because some appear late. */
const OVERLAP_MS = 3 * DAY_MS;
/** A younger transaction waits for the next run: the ledger may be about to record the purchase. */
const SETTLED_MS = 10 * MINUTE_MS;
const LOCK = 'processor-reader';
/** Transactions without a match that are looked up together. */
const OPEN_PAGE = 200;
/** Maximum number of attempts to append a page. Each one after the first follows a write of another process. */
const MAX_ATTEMPTS = 10;

/** A caller who starts a run waits for at most this long for its end. */
const WAIT_MS = 10_000;

/** Numbers of the events that a run has added to the stream. */
export interface ProcessorRead {
  readonly recorded: number;
  readonly matched: number;
}

/** A transaction that is looked up in the ledger. */
interface Wanted {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly paymentIntentId: string | null;
  readonly reversalIds: readonly (string | null)[];
  /** Whether the metadata of its charge names a checkout; null: it has no charge that is known. */
  readonly namesCheckout: boolean | null;
  /** As the processor names it; null: it was not recorded. */
  readonly type: string | null;
}

/** The matches of some transactions in the ledger, and those of the others that are of another shop. */
interface Found {
  readonly matches: ReadonlyMap<string, LedgerMatch>;
  readonly foreign: ReadonlySet<string>;
}

/**
 * Copies the changes of our balance at the payment processor to the stream `processor`, every hour and on one instance:
 * the oldest first, a page at a time. Each page is one append, so a run that ends early has recorded whole pages, and
 * the next one continues. A transaction is recorded once, also when it is read again. Those of another shop on the same
 * account are recorded as such. Then the ledger's side is compared.
 */
@Injectable()
@Scheduled('processor-reader', MINUTE_MS)
export class ProcessorReader extends ScheduledWorker {
  protected override readonly failure =
    'The balance at the payment processor could not be read. The next run is in a minute.';
  private readonly started = new Set<Promise<unknown>>();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly store: ProcessorStore,
    private readonly queries: QueryBus,
    private readonly projections: ProjectionRunner,
    private readonly locks: Locks,
    private readonly runs: ReconciliationRuns,
    private readonly comparison: LedgerComparison,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await Promise.allSettled(this.started);
  }

  /** Runs every hour, or a minute after a failed run. */
  protected override async work(): Promise<void> {
    if (await this.runs.isDue()) await this.read();
  }

  protected override failed(error: unknown): void {
    this.logger.warn({ message: this.failure, error });
  }

  /**
   * Reads now, also when no run is due.
   * @returns `running` when a run is not over, on this or another instance
   * @throws ProcessorUnavailableError
   */
  async readNow(): Promise<'ran' | 'running'> {
    if (this.stopped) return 'running';
    const run = this.read().then((read) => (read ? 'ran' : 'running'));
    this.started.add(run);
    // Logged here, because the caller may have its answer before the run fails.
    void run.catch((error: unknown) => this.failed(error)).finally(() => this.started.delete(run));
    return within(WAIT_MS, run, () => 'running');
  }

  /**
   * Records what is new, looks up what the ledger did not have before, and compares the ledger's side. A run that the
   * end of the process cuts short stays due.
   * @returns what it added; undefined when another instance is reading
   * @throws ProcessorUnavailableError; the pages before stay recorded
   */
  async read(): Promise<ProcessorRead | undefined> {
    return this.locks.withLock(LOCK, async () => {
      const startedAt = this.clock.now().getTime();
      try {
        const settled = new Date(startedAt - SETTLED_MS);
        const recorded = await this.recordNew(settled);
        const matched = await this.matchOpen();
        // Nothing was compared with the pages that are missing, so the run stays due.
        if (this.stopped) return { recorded, matched };
        await this.compare(settled);
        await this.runs.succeeded(settled, new Date(startedAt + HOUR_MS));
        return { recorded, matched };
      } catch (error) {
        await this.runs.failed(new Date(startedAt + MINUTE_MS));
        throw error;
      }
    });
  }

  private async compare(settled: Date): Promise<void> {
    await this.projected(await this.store.head());
    const last = await this.runs.last();
    await this.comparison.compare(last?.compared_to ?? null, settled);
    await this.comparison.lookUpSessions();
  }

  private async recordNew(settled: Date): Promise<number> {
    let recorded = 0;
    for (let page = await this.firstPage(); ;) {
      const old = page.transactions.filter(({ createdAt }) => createdAt <= settled);
      recorded += countOf('BalanceTransactionRecorded', await this.append(() => this.eventsOfNew(old)));
      const last = old.at(-1);
      if (!page.more || !last || old.length < page.transactions.length || this.stopped) return recorded;
      page = await this.queries.execute(new ReadTransactions(last.id));
    }
  }

  /** The page behind the newest recorded transaction that is older than the overlap. */
  private async firstPage(): Promise<ProcessorTransactions> {
    await this.projected(await this.store.head());
    const { rows } = await sql<{ transaction_id: string }>`
      select transaction_id from processor_transaction
      where created_at < (
        select created_at from processor_transaction order by created_at desc, transaction_id desc limit 1
      ) - make_interval(secs => ${OVERLAP_MS / 1000})
      order by created_at desc, transaction_id desc limit 1`.execute(this.db);
    const anchor = rows[0]?.transaction_id ?? null;
    try {
      return await this.queries.execute(new ReadTransactions(anchor));
    } catch (error) {
      if (anchor === null || !(error instanceof ProcessorNotFoundError)) throw error;
      // The processor no longer lists it.
      return this.queries.execute(new ReadTransactions(null));
    }
  }

  /** Events of those transactions that are not recorded yet. */
  private async eventsOfNew(transactions: readonly ProcessorTransaction[]): Promise<TransactionEvent[]> {
    const { rows } = await sql<{ transaction_id: string }>`
      select transaction_id from processor_transaction
      where transaction_id = any(${transactions.map(({ id }) => id)}::text[])`.execute(this.db);
    const known = new Set(rows.map(({ transaction_id: id }) => id));
    const fresh = [...new Map(transactions.map((each) => [each.id, each])).values()].filter(({ id }) => !known.has(id));
    const { matches, foreign } = await this.lookUp(
      fresh.map((each) => ({
        id: each.id,
        kind: kindOf(each),
        paymentIntentId: each.paymentIntentId,
        reversalIds: [each.sourceId, each.adminRefundId],
        namesCheckout: kindOf(each) === 'charge' ? each.checkoutId !== null : null,
        type: each.type,
      })),
    );
    return fresh.flatMap((each) => {
      const record = recordOf(each, matches.get(each.id) ?? null);
      return foreign.has(each.id) ? [record, disownedOf(record.data)] : [record];
    });
  }

  /**
   * Looks up every own transaction that the ledger had nothing for, the oldest first. One that is of another shop
   * was recorded before this was known.
   * @returns how many the ledger has now
   */
  private async matchOpen(): Promise<number> {
    let matched = 0;
    for (let after: ProcessorTransactionTable | null = null; !this.stopped;) {
      const behind = after
        ? sql`and (created_at, transaction_id) > (${after.created_at}, ${after.transaction_id})`
        : sql``;
      let rows: readonly ProcessorTransactionTable[] = [];
      const events = await this.append(async () => {
        ({ rows } = await sql<ProcessorTransactionTable>`
          select * from processor_transaction
          where session_id is null and disowned_version is null and kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed')
            ${behind}
          order by created_at, transaction_id limit ${OPEN_PAGE}`.execute(this.db));
        return this.eventsOfOpen(rows);
      });
      matched += countOf('TransactionMatched', events);
      after = rows.at(-1) ?? null;
      if (rows.length < OPEN_PAGE) break;
    }
    return matched;
  }

  private async eventsOfOpen(rows: readonly ProcessorTransactionTable[]): Promise<TransactionEvent[]> {
    const { matches, foreign } = await this.lookUp(
      rows.map((row) => ({
        id: row.transaction_id,
        kind: row.kind,
        paymentIntentId: row.payment_intent_id,
        reversalIds: [row.source_id, row.order_id],
        namesCheckout: null,
        type: null,
      })),
    );
    return rows.flatMap((row): TransactionEvent[] => {
      const { transaction_id: transactionId, gross_cents: grossCents, fee_cents: feeCents, created_at: at } = row;
      const match = matches.get(transactionId);
      if (match) return [{ type: 'TransactionMatched', data: { schemaVersion: 1, transactionId, match } }];
      if (!foreign.has(transactionId)) return [];
      return [disownedOf({ transactionId, grossCents, feeCents, createdAt: at.toISOString() })];
    });
  }

  private async lookUp(wanted: readonly Wanted[]): Promise<Found> {
    const payments = wanted.flatMap(({ paymentIntentId }) => (paymentIntentId === null ? [] : [paymentIntentId]));
    const sessions = await this.queries.execute(new FindPaidSessions([...new Set(payments)]));
    const matches = await this.matchesOf(wanted, sessions);
    const open = wanted.filter(({ id, paymentIntentId: payment }) => !matches.has(id) && !sessions.has(payment ?? ''));
    return { matches, foreign: await this.foreignAmong(open) };
  }

  /**
   * The transactions of another shop among these, which our tables do not know. Its charges name no checkout.
   * A refund or dispute belongs to the shop of its payment, whose charge was mostly recorded before.
   */
  private async foreignAmong(open: readonly Wanted[]): Promise<ReadonlySet<string>> {
    const charged = new Map<string | null, boolean>();
    for (const { paymentIntentId: payment, namesCheckout } of open) {
      if (namesCheckout !== null) charged.set(payment, namesCheckout);
    }
    const payments = new Set(open.flatMap(({ paymentIntentId: id }) => (id === null || charged.has(id) ? [] : [id])));
    if (payments.size > 0) {
      const { rows } = await sql<{ payment: string }>`
        select payment_intent_id as payment from processor_transaction
        where payment_intent_id = any(${[...payments]}::text[]) and disowned_version is not null`.execute(this.db);
      for (const { payment } of rows) charged.set(payment, false);
    }
    const unknown = [...payments].filter((payment) => !charged.has(payment));
    const others = await this.queries.execute(new FindOtherShops(unknown));
    const isForeign = ({ kind, type, paymentIntentId: payment }: Wanted): boolean =>
      payment === null ? !isShopless(kind, type) : charged.get(payment) === false || others.has(payment);
    return new Set(open.filter(isForeign).map(({ id }) => id));
  }

  /** The ledger's side of these transactions, by the transaction. @param sessions by their payments */
  private async matchesOf(
    wanted: readonly Wanted[],
    sessions: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, LedgerMatch>> {
    if (sessions.size === 0) return new Map();
    const { rows } = await sql<CashLine>`
      select account, lot_id, reversal_id, cents from book_entry
      where account in (${sql.lit(ACCOUNT.receipts)}, ${sql.lit(ACCOUNT.refundsPaid)}, ${sql.lit(ACCOUNT.disputesTaken)})
        and lot_id = any(${[...sessions.values()]}::text[])`.execute(this.db);
    const lines = new Map<string, CashLine[]>();
    for (const row of rows) lines.set(row.lot_id, [...(lines.get(row.lot_id) ?? []), row]);
    const matches = new Map<string, LedgerMatch>();
    for (const { id, kind, paymentIntentId, reversalIds } of wanted) {
      const session = sessions.get(paymentIntentId ?? '') ?? '';
      const match = matchOf(kind, lines.get(session) ?? [], reversalIds);
      if (match) matches.set(id, match);
    }
    return matches;
  }

  /**
   * Appends the events that follow from the rows of all events so far. When another process wrote first, or the answer
   * was lost, they are made again from what is stored then.
   */
  private async append(make: () => Promise<readonly TransactionEvent[]>): Promise<readonly TransactionEvent[]> {
    for (let attempts = 1; ; attempts += 1) {
      const head = await this.store.head();
      await this.projected(head);
      const events = await make();
      if (events.length === 0) return [];
      try {
        await this.store.append(head, events);
        return events;
      } catch (error) {
        const isRepeatable = error instanceof WrongExpectedVersionError || error instanceof UnknownOutcomeError;
        if (!isRepeatable || attempts === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Applies every event so far to the rows. */
  private async projected({ position }: ProcessorHead): Promise<void> {
    if (position !== null) await this.projections.catchUp(processorProjection.name);
  }
}

function countOf(type: TransactionEvent['type'], events: readonly TransactionEvent[]): number {
  return events.filter((event) => event.type === type).length;
}
