import { DAY_MS } from '../../contract/durations.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { FindSessionAtProcessor } from '../../payments/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { insertMissingRows } from '../../platform/database/projected-table.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { DIFFERS, hasTransaction } from '../reads/difference-rows.js';
import { type BookEntryTable, type FinanceTables, RECONCILIATION_SESSION } from '../tables.js';

/** Lines that are compared together. */
const LINES_TOGETHER = 1000;
/** Lines of this time before the last comparison are compared again, because the books can lag behind. */
const OVERLAP_MS = 3 * DAY_MS;
/** Payments without a session that are looked up in one run. */
const LOOK_UPS = 50;

type EntryCursor = Pick<BookEntryTable, 'occurred_at' | 'user_id' | 'version' | 'line'>;

/**
 * The ledger's side of the comparison with the processor, after the processor's side was read: notes the lines that
 * have no transaction, and which of those noted before have one now.
 */
@Injectable()
export class LedgerComparison {
  private readonly logger = new Logger(LedgerComparison.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Compares the lines up to `to`. May be repeated and interrupted.
   * @param comparedTo the end of the last comparison; null: from the first line
   */
  async compare(comparedTo: Date | null, to: Date): Promise<void> {
    const from = new Date(comparedTo === null ? 0 : comparedTo.getTime() - OVERLAP_MS);
    for (const account of [ACCOUNT.receipts, ACCOUNT.refundsPaid, ACCOUNT.disputesTaken]) {
      let after: EntryCursor | null = { occurred_at: from, user_id: '', version: -1, line: -1 };
      while (after) after = await this.notePage(account, after, to);
    }
    await sql`
      update reconciliation_gap as g set ended_at = ${this.clock.now()}
      where g.ended_at is null and ${hasTransaction('g')}`.execute(this.db);
  }

  /** @returns the place of the next page; null after the last one */
  private async notePage(account: number, after: EntryCursor, to: Date): Promise<EntryCursor | null> {
    const kind =
      account === ACCOUNT.receipts
        ? sql`'charge'`
        : account === ACCOUNT.refundsPaid
          ? sql`case when cents < 0 then 'refund' else 'refundFailed' end`
          : sql`case when cents < 0 then 'dispute' else 'disputeReversed' end`;
    const { rows } = await sql<EntryCursor>`
      with line as materialized (
        select user_id, version, line, ${kind} as kind, lot_id as session_id, reversal_id, cents, occurred_at
        from book_entry
        where account = ${sql.lit(account)} and occurred_at <= ${to} and lot_id is not null
          and (occurred_at, user_id, version, line)
            > (${after.occurred_at}::timestamptz, ${after.user_id}, ${after.version}::integer, ${after.line}::integer)
        order by occurred_at, user_id, version, line limit ${LINES_TOGETHER}
      ), noted as (
        insert into reconciliation_gap (user_id, version, line, kind, session_id, reversal_id, cents, occurred_at)
        select user_id, version, line, kind, session_id, reversal_id, cents, occurred_at from line
        where not ${hasTransaction('line')}
        on conflict (user_id, version, line) do nothing
      )
      select occurred_at, user_id, version, line from line
      order by occurred_at, user_id, version, line offset ${LINES_TOGETHER - 1}`.execute(this.db);
    return rows[0] ?? null;
  }

  /**
   * Asks the processor for the sessions of payments that the ledger does not have, the latest first. What cannot be
   * answered now is asked again in the next run.
   */
  async lookUpSessions(): Promise<void> {
    const { rows } = await sql<{ transaction_id: string; payment_intent_id: string }>`
      select t.transaction_id, t.payment_intent_id from processor_transaction t
      where ${DIFFERS} and t.session_id is null and t.payment_intent_id is not null
        and (select true from reconciliation_session s where s.transaction_id = t.transaction_id limit 1) is null
      order by t.created_at desc, t.transaction_id desc limit ${LOOK_UPS}`.execute(this.db);
    const found: { readonly transaction_id: string; readonly session_id: string | null }[] = [];
    try {
      for (const { transaction_id, payment_intent_id: payment } of rows) {
        found.push({ transaction_id, session_id: await this.queries.execute(new FindSessionAtProcessor(payment)) });
      }
    } catch (error) {
      this.logger.warn({ message: 'The session of a payment could not be looked up. The next run retries it.', error });
    }
    const looked_up_at = this.clock.now();
    const looked = found.map((each) => ({ ...each, looked_up_at }));
    await insertMissingRows(RECONCILIATION_SESSION, looked, this.db);
  }
}
