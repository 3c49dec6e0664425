import { type Pool } from 'pg';
import { readPolicy, userOfStream } from '../../credits/index.js';
import { BOOKS_PROJECTION } from '../../finance/index.js';
import type { BookEntryTable, BookPurchaseTable } from '../../finance/tables.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { LineComparison } from './account-lines.js';
import { LineTexts, type LineTable } from './line-texts.js';
import { BooksAudit } from './books-audit.js';
import { type EarningsCheck } from './earnings-check.js';
import {
  compareRows,
  hasPassed,
  isOverdue,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
} from './projection-check.js';
import { messageOf } from './stream-audit.js';

const ENTRIES: LineTable<BookEntryTable> = {
  name: 'book_entry',
  severalPerEvent: true,
  columns: {
    version: 'other',
    line: 'other',
    account: 'other',
    event_type: 'other',
    occurred_at: 'time',
    cents: 'other',
    credits: 'other',
    lot_id: 'other',
    bought_month: 'other',
    deduction_id: 'other',
    creator_id: 'other',
    reversal_id: 'other',
    payable_at: 'time',
  },
  describe: ({ account, line, event_type: type }) => `line ${line} of ${type}, account ${account}`,
};

/** The stored data of one account, read before its events. */
interface AccountRow {
  readonly at: string | null;
  readonly last: number;
  readonly purchases: readonly BookPurchaseTable[];
}

/**
 * Compares the journal and the purchases of the books with the events, account by account. `bookSumDifferences`
 * compares the sums with the journal.
 */
export class BooksCheck implements ProjectionCheck {
  readonly projection = BOOKS_PROJECTION;
  compared = 0;

  /** @param cumulativeFrom start of the rule of revenue; null: never */
  constructor(
    private readonly pool: Pool,
    private readonly eventStore: EventStore,
    private readonly now: () => Date,
    readonly cumulativeFrom: Date | null,
    /** Receives the lines that the events make. */
    readonly earnings: EarningsCheck,
  ) {}

  static async open(pool: Pool, eventStore: EventStore, now: () => Date, earnings: EarningsCheck): Promise<BooksCheck> {
    const { cumulativeFrom } = (await readPolicy(eventStore)).revenueRule;
    return new BooksCheck(pool, eventStore, now, cumulativeFrom, earnings);
  }

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const readAt = this.now().getTime();
    const { rows } = await this.pool.query<AccountRow>({
      name: 'audit-books',
      text: `select checkpoint.at,
         (select coalesce(max(e.version), -1) from book_entry e where e.user_id = wanted.user_id) as last,
         (select coalesce(json_agg(p), '[]') from book_purchase p where p.user_id = wanted.user_id) as purchases
       from (select (select position from projection_checkpoint where name = $2) as at) as checkpoint
       cross join unnest($1::text[]) with ordinality as wanted (user_id, place) order by wanted.place`,
      values: [users, BOOKS_PROJECTION.name],
    });
    const position = rows[0]?.at ?? null;
    const accounts = users.map((userId, index) => ({ userId, until: rows[index]?.last ?? -1 }));
    const lines = new LineTexts(this.pool, ENTRIES, accounts);
    return {
      account: (index, { stream }, onDifference) => {
        const { last = -1, purchases = [] } = rows[index] ?? {};
        const isDue = (stored: StoredEvent): boolean =>
          stored.version <= last || isOverdue(stored, readAt) || hasPassed(this.eventStore, position, stored);
        const audit = new BooksAudit(userOfStream(stream), this.cumulativeFrom);
        const comparison = new LineComparison(lines, index, onDifference);
        return new AccountBooksCheck(this, audit, isDue, comparison, purchases, onDifference);
      },
    };
  }

  async *users(): AsyncGenerator<string[]> {
    yield* usersOfTable(this.pool, 'book_entry');
    yield* usersOfTable(this.pool, 'book_purchase');
  }

  end(): void {
    // All rows compared here belong to accounts.
  }
}

class AccountBooksCheck implements AccountCheck {
  private comparable = true;

  constructor(
    private readonly check: BooksCheck,
    private readonly audit: BooksAudit,
    private readonly isDue: (stored: StoredEvent) => boolean,
    private readonly lines: LineComparison<BookEntryTable>,
    private readonly stored: readonly BookPurchaseTable[],
    private readonly onDifference: OnDifference,
  ) {}

  add(stored: StoredEvent): Promise<void> | undefined {
    if (!this.comparable || !this.isDue(stored)) return undefined;
    const rows = this.rowsOf(stored);
    this.check.compared += rows.length;
    return rows.length === 0 ? undefined : this.lines.expectAll(rows);
  }

  async end(): Promise<void> {
    if (!this.comparable) return;
    await this.lines.end(Number.MAX_SAFE_INTEGER);
    this.check.compared += compareRows(
      'book_purchase',
      { found: this.stored, due: this.audit.purchases(), about: ({ lot_id: lot }) => `purchase ${lot}` },
      (sentence) => this.onDifference(null, sentence),
    );
  }

  private rowsOf(stored: StoredEvent): BookEntryTable[] {
    try {
      const rows = this.audit.add(stored);
      this.check.earnings.addLines(stored, rows);
      return rows;
    } catch (error) {
      this.comparable = false;
      this.check.earnings.giveUp();
      this.onDifference(stored.version, `The books cannot be recomputed from this event on: ${messageOf(error)}`);
      return [];
    }
  }
}
