import { LineComparison } from './account-lines.js';
import { LineTexts, type LineTable } from './line-texts.js';
import {
  compareRow,
  compareRows,
  hasPassed,
  isOverdue,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
  type RevenueScope,
} from './projection-check.js';
import { type Pool } from 'pg';
import { accountProjection, readPolicy, userOfStream } from '../../credits/index.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { REVENUE_PROJECTION } from '../../revenue/index.js';
import type {
  EarningRow,
  PlatformRevenueMonthTable,
  RevenueMonthTable,
  RevenuePurchaseTable,
  RevenueTotalTable,
} from '../../revenue/tables.js';
import { concernsRevenue, RevenueAudit, RevenueMonths, type RevenueSums } from './revenue-audit.js';
import { messageOf } from './stream-audit.js';

const EARNINGS: LineTable<EarningRow> = {
  name: 'creator_earning',
  severalPerEvent: true,
  columns: {
    version: 'other',
    line: 'other',
    kind: 'other',
    creator_id: 'other',
    deduction_id: 'other',
    lot_id: 'other',
    reversal_id: 'other',
    credits: 'other',
    unit_price_cents: 'other',
    own_generation: 'other',
    creator_cents: 'other',
    platform_cents: 'other',
    occurred_at: 'time',
    month: 'other',
    payable_at: 'time',
  },
  describe: ({ kind, line, deduction_id: generation, creator_id: creator, lot_id: lot, month }) =>
    `line ${line}, ${kind} of generation ${generation} for creator ${creator} in ${month}, paid by ${lot}`,
};

/** Stored rows of some accounts, at one position of the projection. */
interface Stored {
  readonly position: string | null;
  /** When they were read, epoch milliseconds. */
  readonly readAt: number;
  /**
   * Version up to which `credit_balance` knows each account, if revenue was not behind that projection: it then must
   * know these events too. Empty when it was behind.
   */
  readonly versions: ReadonlyMap<string, number>;
  readonly purchases: ReadonlyMap<string, readonly RevenuePurchaseTable[]>;
}

/** The stored data of one account, read before its events. */
interface AccountRow {
  readonly at: string | null;
  readonly account_at: string | null;
  readonly version: number | null;
  readonly last: number;
  readonly purchases: RevenuePurchaseTable[];
}

/** The sums over the accounts of a check. Plain data. */
export interface RevenuePart {
  readonly compared: number;
  readonly sums: RevenueSums;
  /** False when an account could not be folded: the sums then lack its earnings. */
  readonly summable: boolean;
}

/** Sums of several accounts, at one position of the projection. */
interface StoredSums {
  readonly position: string | null;
  readonly months: readonly RevenueMonthTable[];
  readonly totals: readonly RevenueTotalTable[];
  readonly platformMonths: readonly PlatformRevenueMonthTable[];
}

/** Reads all sums in one snapshot. */
async function readSums(pool: Pool): Promise<StoredSums> {
  const client = await pool.connect();
  const all = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    const [checkpoint] = await all<{ position: string | null }>(
      'select position from projection_checkpoint where name = $1',
      [REVENUE_PROJECTION.name],
    );
    const sums = {
      position: checkpoint?.position ?? null,
      months: await all<RevenueMonthTable>('select * from creator_revenue_month'),
      totals: await all<RevenueTotalTable>('select * from creator_revenue_total'),
      platformMonths: await all<PlatformRevenueMonthTable>('select * from platform_revenue_month'),
    };
    await client.query('commit');
    return sums;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * Compares revenue with the events: the rows of `creator_earning` and `revenue_purchase` with each account, and the
 * sums of creators and of the platform at the end. Keeps one sum for each creator and month in memory.
 */
export class RevenueCheck implements ProjectionCheck {
  readonly projection = REVENUE_PROJECTION;
  compared = 0;
  private readonly sums = new RevenueMonths();
  /** False once an account could not be folded: the sums then lack its earnings. */
  private summable = true;

  /** @param stored the stored sums; null for a part of the accounts, which are compared without sums */
  constructor(
    private readonly pool: Pool,
    private readonly eventStore: EventStore,
    private readonly now: () => Date,
    readonly scope: RevenueScope,
    private readonly stored: StoredSums | null = null,
  ) {}

  /** Reads the sums now. Later events are left out of the sums. */
  static async open(pool: Pool, eventStore: EventStore, now: () => Date): Promise<RevenueCheck> {
    const openedAt = now().getTime();
    const { cumulativeFrom } = (await readPolicy(eventStore)).revenueRule;
    const sums = await readSums(pool);
    return new RevenueCheck(pool, eventStore, now, { cumulativeFrom, position: sums.position, openedAt }, sums);
  }

  /** The sums over the accounts so far. */
  part(): RevenuePart {
    return { compared: this.compared, sums: this.sums.sums(), summable: this.summable };
  }

  /** Adds the accounts of another check. */
  merge({ compared, sums, summable }: RevenuePart): void {
    this.compared += compared;
    this.sums.merge(sums);
    this.summable &&= summable;
  }

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const readAt = this.now().getTime();
    const { rows } = await this.pool.query<AccountRow>({
      name: 'audit-revenue',
      text: `select checkpoint.at, checkpoint.account_at,
         (select b.version from credit_balance b where b.user_id = wanted.user_id) as version,
         (select coalesce(max(e.version), -1) from creator_earning e where e.user_id = wanted.user_id) as last,
         (select coalesce(json_agg(p), '[]') from revenue_purchase p where p.user_id = wanted.user_id) as purchases
       from (select (select position from projection_checkpoint where name = $2) as at,
         (select position from projection_checkpoint where name = $3) as account_at) as checkpoint
       cross join unnest($1::text[]) with ordinality as wanted (user_id, place) order by wanted.place`,
      values: [users, REVENUE_PROJECTION.name, accountProjection.name],
    });
    const position = rows[0]?.at ?? null;
    const accountPosition = rows[0]?.account_at ?? null;
    const level =
      position !== null && accountPosition !== null && this.eventStore.comparePositions(position, accountPosition) >= 0;
    const stored: Stored = {
      ...{ position, readAt },
      versions: new Map(level ? users.map((userId, index) => [userId, rows[index]?.version ?? -1]) : []),
      purchases: new Map(users.map((userId, index) => [userId, rows[index]?.purchases ?? []])),
    };
    const accounts = users.map((userId, index) => ({ userId, until: rows[index]?.last ?? -1 }));
    const lines = new LineTexts(this.pool, EARNINGS, accounts);
    return {
      account: (index, { stream }, onDifference) => {
        const comparison = new LineComparison(lines, index, onDifference);
        return new AccountRevenueCheck(this, userOfStream(stream), stored, comparison, onDifference);
      },
    };
  }

  async *users(): AsyncGenerator<string[]> {
    yield* usersOfTable(this.pool, 'creator_earning');
    yield* usersOfTable(this.pool, 'revenue_purchase');
  }

  end(onDifference: (sentence: string) => void): void {
    const { stored } = this;
    if (!stored) return;
    if (!this.summable) {
      onDifference('The months of creators cannot be compared: the events of an account cannot be read.');
      return;
    }
    const found = new Map(stored.months.map((month) => [keyOf(month), month]));
    for (const due of this.sums.months()) {
      const { creator_id: creator, month } = due;
      const about = `creator ${creator} in ${month}`;
      const row = found.get(keyOf(due));
      found.delete(keyOf(due));
      this.compared += 1;
      if (row) compareRow('creator_revenue_month', row, due, (sentence) => onDifference(`${sentence}: ${about}.`));
      else onDifference(`creator_revenue_month lacks a row: ${about}, ${due.creator_cents} cents.`);
    }
    for (const { creator_id: creator, month, creator_cents: cents } of found.values()) {
      onDifference(
        `creator_revenue_month has a row that no event makes: creator ${creator} in ${month}, ${cents} cents.`,
      );
    }
    this.compareTotals(stored, onDifference);
  }

  private compareTotals({ totals, platformMonths }: StoredSums, onDifference: (sentence: string) => void): void {
    this.compared += compareRows<RevenueTotalTable>(
      'creator_revenue_total',
      { found: totals, due: this.sums.totals(), about: ({ creator_id: creator }) => `creator ${creator}` },
      onDifference,
    );
    this.compared += compareRows<PlatformRevenueMonthTable>(
      'platform_revenue_month',
      { found: platformMonths, due: this.sums.platformMonths(), about: ({ month }) => month },
      onDifference,
    );
  }

  /** True when the projection must have processed an event when the rows of the account were read. */
  isDue(stored: StoredEvent, userId: string, { position, readAt, versions }: Stored): boolean {
    if (stored.version <= (versions.get(userId) ?? -1) || isOverdue(stored, readAt)) return true;
    return hasPassed(this.eventStore, position, stored);
  }

  /** Adds the rows of an event to the months, unless the stored months are older than the event. */
  sumUp(stored: StoredEvent, rows: readonly EarningRow[]): void {
    if (rows.length === 0) return;
    const { openedAt, position } = this.scope;
    const due = isOverdue(stored, openedAt) || hasPassed(this.eventStore, position, stored);
    if (due) for (const row of rows) this.sums.add(row);
  }

  /** Called when an account cannot be folded. */
  giveUpMonths(): void {
    this.summable = false;
  }
}

class AccountRevenueCheck implements AccountCheck {
  private readonly revenue: RevenueAudit;
  private comparable = true;

  constructor(
    private readonly check: RevenueCheck,
    private readonly userId: string,
    private readonly stored: Stored,
    private readonly lines: LineComparison<EarningRow>,
    private readonly onDifference: OnDifference,
  ) {
    this.revenue = new RevenueAudit(userId, check.scope.cumulativeFrom);
  }

  add(stored: StoredEvent): Promise<void> | undefined {
    if (!this.comparable || !concernsRevenue(stored)) return undefined;
    if (!this.check.isDue(stored, this.userId, this.stored)) return undefined;
    const rows = this.rowsOf(stored);
    this.check.sumUp(stored, rows);
    this.check.compared += rows.length;
    return rows.length === 0 ? undefined : this.lines.expectAll(rows);
  }

  async end(): Promise<void> {
    if (!this.comparable) return;
    await this.lines.end(Number.MAX_SAFE_INTEGER);
    this.check.compared += compareRows(
      'revenue_purchase',
      {
        found: this.stored.purchases.get(this.userId) ?? [],
        due: this.revenue.purchases(),
        about: ({ lot_id: lot }) => `purchase ${lot}`,
      },
      (sentence) => this.onDifference(null, sentence),
    );
  }

  private rowsOf(stored: StoredEvent): EarningRow[] {
    try {
      return this.revenue.add(stored);
    } catch (error) {
      this.comparable = false;
      this.check.giveUpMonths();
      this.onDifference(stored.version, `Revenue cannot be recomputed from this event on: ${messageOf(error)}`);
      return [];
    }
  }
}

function keyOf({ creator_id: creator, month }: RevenueMonthTable): string {
  return JSON.stringify([creator, month]);
}
