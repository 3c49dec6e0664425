import { accountProjection } from '../../credits/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { LineComparison } from './account-lines.js';
import { type Line, LineTexts, type LineTable } from './line-texts.js';
import {
  compareRows,
  hasPassed,
  isOverdue,
  type RowNames,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
} from './projection-check.js';
import { type RevenueAudit } from './revenue-audit.js';
import { messageOf } from './stream-audit.js';
import { type LedgerStores } from './read-account.js';

/** The audit's own fold of one account, for one projection. */
interface RowsFold<LineRow, Row> {
  /** @returns the lines that the next event makes. @throws when it cannot be read */
  add(stored: StoredEvent): readonly LineRow[];
  /** The rows after the events so far. */
  rows(): Iterable<Row>;
}

/** The rows that one projection makes of the events of each account. */
export interface AccountRows<LineRow extends Line, Row extends object> {
  readonly projection: { readonly name: string; readonly version: number };
  /** Rows that events make and that never change. */
  readonly lines: LineTable<LineRow>;
  /** The table of rows that later events change. */
  readonly table: string;
  readonly names: RowNames<Row>;
  /** Reads a row that was read as JSON. */
  readonly fromJson?: (row: Row) => Row;
  /** @param revenue the audit's fold of revenue for the account, which all of its checks share */
  readonly fold: (revenue: RevenueAudit) => RowsFold<LineRow, Row>;
  /** Begins the sentence about an event that cannot be read: 'Revenue cannot be recomputed'. */
  readonly unreadable: string;
  /** Begins the sentence when the sums cannot be compared. Missing: they can be, because they sum the lines. */
  readonly unsummable?: string;
}

/** Receives the lines of all accounts. */
interface LineListener<LineRow> {
  addLines(stored: StoredEvent, lines: readonly LineRow[]): void;
  /** The lines of an account cannot be computed. */
  giveUp(): void;
}

/** The stored data of one account, read before its events. */
interface AccountRow<Row> {
  readonly at: string | null;
  readonly account_at: string | null;
  /** Version up to which `credit_balance` knows the account. */
  readonly version: number | null;
  /** Version of the last line. */
  readonly last: number;
  readonly rows: readonly Row[];
}

/** Compares the rows of one projection with the events, account by account. `sum-check.ts` compares their sums. */
export class RowsCheck<LineRow extends Line, Row extends object> implements ProjectionCheck {
  readonly projection: AccountRows<LineRow, Row>['projection'];
  compared = 0;
  differs = false;
  isComplete = true;

  constructor(
    private readonly sources: LedgerStores & { readonly now: () => Date },
    private readonly definition: AccountRows<LineRow, Row>,
    private readonly listener: LineListener<NoInfer<LineRow>> | null = null,
  ) {
    this.projection = definition.projection;
  }

  get unsummable(): string | null {
    const { unsummable } = this.definition;
    return this.isComplete || unsummable === undefined
      ? null
      : `${unsummable} cannot be compared: the events of an account cannot be read.`;
  }

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const { pool, eventStore, now } = this.sources;
    const { lines, table, fold, fromJson = (row) => row } = this.definition;
    const readAt = now().getTime();
    const { rows } = await pool.query<AccountRow<Row>>({
      name: `audit-rows-${table}`,
      text: `select checkpoint.at, checkpoint.account_at,
         (select b.version from credit_balance b where b.user_id = wanted.user_id) as version,
         (select coalesce(max(l.version), -1) from ${lines.name} l where l.user_id = wanted.user_id) as last,
         (select coalesce(json_agg(r), '[]') from ${table} r where r.user_id = wanted.user_id) as rows
       from (select (select position from projection_checkpoint where name = $2) as at,
         (select position from projection_checkpoint where name = $3) as account_at) as checkpoint
       cross join unnest($1::text[]) with ordinality as wanted (user_id, place) order by wanted.place`,
      values: [users, this.projection.name, accountProjection.name],
    });
    const { at: position = null, account_at: accountPosition = null } = rows[0] ?? {};
    // A projection that is not behind that of the balances must know the events that these know.
    const isLevel =
      position !== null && accountPosition !== null && eventStore.comparePositions(position, accountPosition) >= 0;
    const texts = new LineTexts(
      pool,
      lines,
      users.map((userId, index) => ({ userId, until: rows[index]?.last ?? -1 })),
    );
    return {
      account: (index, { revenue }, onDifference) => {
        const { version = -1, last = -1, rows: stored = [] } = rows[index] ?? {};
        const known = Math.max(last, isLevel ? (version ?? -1) : -1);
        const isDue = (event: StoredEvent): boolean =>
          event.version <= known || isOverdue(event, readAt) || hasPassed(eventStore, position, event);
        const comparison = new LineComparison(texts, index, (at, sentence) => {
          this.differs = true;
          onDifference(at, sentence);
        });
        return this.account(fold(revenue), isDue, comparison, stored.map(fromJson), onDifference);
      },
    };
  }

  async *users(): AsyncGenerator<string[]> {
    yield* usersOfTable(this.sources.pool, this.definition.lines.name);
    yield* usersOfTable(this.sources.pool, this.definition.table);
  }

  private account(
    fold: RowsFold<LineRow, Row>,
    isDue: (stored: StoredEvent) => boolean,
    lines: LineComparison<LineRow>,
    found: readonly Row[],
    onDifference: OnDifference,
  ): AccountCheck {
    let isComparable = true;
    /** The rows before the first event that need not be projected yet. Another check may continue the same fold. */
    let applied: readonly Row[] | null = null;
    const linesOf = (stored: StoredEvent): readonly LineRow[] => {
      try {
        const made = fold.add(stored);
        this.listener?.addLines(stored, made);
        return made;
      } catch (error) {
        isComparable = this.isComplete = false;
        this.listener?.giveUp();
        onDifference(stored.version, `${this.definition.unreadable} from this event on: ${messageOf(error)}`);
        return [];
      }
    };
    return {
      add: (stored) => {
        if (!isComparable) return undefined;
        if (!isDue(stored)) {
          applied ??= [...fold.rows()];
          return undefined;
        }
        const made = linesOf(stored);
        this.compared += made.length;
        return made.length === 0 ? undefined : lines.expectAll(made);
      },
      end: async () => {
        if (!isComparable) return;
        await lines.end(Number.MAX_SAFE_INTEGER);
        this.compared += compareRows(
          this.definition.table,
          { found, expected: applied ?? fold.rows(), ...this.definition.names },
          (sentence) => onDifference(null, sentence),
        );
      },
    };
  }
}
