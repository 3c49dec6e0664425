import { type Pool } from 'pg';
import { readCreditEvent, readPolicy, userOfStream } from '../../credits/index.js';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { ACTIVITY_PROJECTION } from '../../revenue/index.js';
import type {
  ActivityImageRow,
  ActivityMonthTable,
  ActivityPaymentTable,
  ActivityTotalTable,
  PlatformActivityMonthTable,
} from '../../revenue/tables.js';
import { LineComparison } from './account-lines.js';
import { LineTexts, type LineTable } from './line-texts.js';
import {
  addTo,
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
import { textOf, timeOf } from './read-account.js';
import { messageOf } from './stream-audit.js';

const IMAGES: LineTable<ActivityImageRow> = {
  name: 'creator_activity_image',
  severalPerEvent: false,
  columns: {
    version: 'other',
    creator_id: 'other',
    deduction_id: 'other',
    paid: 'other',
    free_credits: 'other',
    occurred_at: 'time',
  },
  describe: ({ deduction_id: generation, creator_id: creator }) => `generation ${generation} of creator ${creator}`,
};

const RELEVANT: ReadonlySet<string> = new Set([
  'CreditsPurchased',
  'DeductionSettled',
  'PurchaseReversed',
  'PurchaseReinstated',
]);

/** The stored data of one account, read before its events. */
interface AccountRow {
  readonly at: string | null;
  readonly last: number;
  readonly payments: readonly (ActivityPaymentTable & { readonly occurred_at: string; undone_at: string | null })[];
}

/** Sums of several accounts, at one position of the projection. */
interface StoredSums {
  readonly months: readonly ActivityMonthTable[];
  readonly totals: readonly ActivityTotalTable[];
  readonly platformMonths: readonly PlatformActivityMonthTable[];
}

/** The sums over the accounts of a check. Plain data. */
export interface ActivityPart {
  readonly compared: number;
  readonly sums: ReadonlyMap<string, ActivityMonthTable>;
  /** False when an account could not be read: the sums then lack its images. */
  readonly summable: boolean;
}

/** Whether the stored rows must include an event. */
type IsDue = (stored: StoredEvent) => boolean;

/**
 * Compares delivered images, payments and the sums of `creator_activity` with the events. Keeps one sum for each
 * creator and month in memory. It shares no code with the projection.
 */
export class ActivityCheck implements ProjectionCheck {
  readonly projection = ACTIVITY_PROJECTION;
  compared = 0;
  private readonly sums = new Map<string, ActivityMonthTable>();
  /** False once an account could not be read: the sums then lack its images. */
  private summable = true;

  /**
   * @param scope own generations count until the start of its rule
   * @param stored the stored sums; null for a part of the accounts, which are compared without sums
   */
  constructor(
    private readonly pool: Pool,
    private readonly eventStore: EventStore,
    private readonly now: () => Date,
    readonly scope: RevenueScope,
    private readonly stored: StoredSums | null = null,
  ) {}

  /** Reads the months now. Later events are left out of the sums. */
  static async open(pool: Pool, eventStore: EventStore, now: () => Date): Promise<ActivityCheck> {
    const openedAt = now().getTime();
    const { cumulativeFrom } = (await readPolicy(eventStore)).revenueRule;
    const { rows } = await pool.query<{ at: string | null } & StoredSums>(
      `select (select position from projection_checkpoint where name = $1) as at,
         (select coalesce(json_agg(m), '[]') from creator_activity_month m) as months,
         (select coalesce(json_agg(t), '[]') from creator_activity_total t) as totals,
         (select coalesce(json_agg(p), '[]') from platform_activity_month p) as "platformMonths"`,
      [ACTIVITY_PROJECTION.name],
    );
    const { at = null, months = [], totals = [], platformMonths = [] } = rows[0] ?? {};
    const scope = { cumulativeFrom, position: at, openedAt };
    return new ActivityCheck(pool, eventStore, now, scope, { months, totals, platformMonths });
  }

  /** The sums over the accounts so far. */
  part(): ActivityPart {
    return { compared: this.compared, sums: this.sums, summable: this.summable };
  }

  /** Adds the accounts of another check. */
  merge({ compared, sums, summable }: ActivityPart): void {
    this.compared += compared;
    for (const { creator_id, month, ...figures } of sums.values()) addTo(this.sumOf(creator_id, month), figures);
    this.summable &&= summable;
  }

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const readAt = this.now().getTime();
    const { rows } = await this.pool.query<AccountRow>({
      name: 'audit-activity',
      text: `select checkpoint.at,
         (select coalesce(max(i.version), -1) from creator_activity_image i where i.user_id = wanted.user_id) as last,
         (select coalesce(json_agg(p), '[]') from creator_activity_payment p where p.user_id = wanted.user_id) as payments
       from (select (select position from projection_checkpoint where name = $2) as at) as checkpoint
       cross join unnest($1::text[]) with ordinality as wanted (user_id, place) order by wanted.place`,
      values: [users, ACTIVITY_PROJECTION.name],
    });
    const position = rows[0]?.at ?? null;
    const isDue: IsDue = (stored) => isOverdue(stored, readAt) || hasPassed(this.eventStore, position, stored);
    const accounts = users.map((userId, index) => ({ userId, until: rows[index]?.last ?? -1 }));
    const lines = new LineTexts(this.pool, IMAGES, accounts);
    return {
      account: (index, { stream }, onDifference) => {
        const comparison = new LineComparison(lines, index, onDifference);
        const payments = rows[index]?.payments ?? [];
        return new AccountActivityCheck(this, userOfStream(stream), isDue, comparison, payments, onDifference);
      },
    };
  }

  async *users(): AsyncGenerator<string[]> {
    yield* usersOfTable(this.pool, 'creator_activity_image');
    yield* usersOfTable(this.pool, 'creator_activity_payment');
  }

  end(onDifference: (sentence: string) => void): void {
    if (!this.stored) return;
    if (!this.summable) {
      onDifference('The images of creators cannot be compared: the events of an account cannot be read.');
      return;
    }
    const { months, totals, platformMonths } = this.stored;
    this.compared += compareRows<ActivityMonthTable>(
      'creator_activity_month',
      { found: months, due: this.sums.values(), about: (row) => `creator ${row.creator_id} in ${row.month}` },
      onDifference,
    );
    this.compared += compareRows<ActivityTotalTable>(
      'creator_activity_total',
      { found: totals, due: this.totals(), about: ({ creator_id: creator }) => `creator ${creator}` },
      onDifference,
    );
    this.compared += compareRows<PlatformActivityMonthTable>(
      'platform_activity_month',
      { found: platformMonths, due: this.platformMonths(), about: ({ month }) => month },
      onDifference,
    );
  }

  private totals(): Iterable<ActivityTotalTable> {
    const totals = new Map<string, ActivityTotalTable>();
    for (const { creator_id, paid_generations: paid, free_generations: free } of this.sums.values()) {
      const total = totals.get(creator_id) ?? { creator_id, paid_generations: 0, free_generations: 0 };
      total.paid_generations += paid;
      total.free_generations += free;
      totals.set(creator_id, total);
    }
    return totals.values();
  }

  private platformMonths(): Iterable<PlatformActivityMonthTable> {
    const sums = new Map<string, PlatformActivityMonthTable>();
    for (const { month, paid_generations: paid, free_generations: free } of this.sums.values()) {
      const sum = sums.get(month) ?? { month, paid_generations: 0, free_generations: 0 };
      sum.paid_generations += paid;
      sum.free_generations += free;
      sums.set(month, sum);
    }
    return sums.values();
  }

  /** Adds an image to the months, unless the stored months are older. @param first the fan's first of the creator */
  sumUp(stored: StoredEvent, { creator_id, paid, occurred_at }: ActivityImageRow, first: boolean): void {
    const { openedAt, position } = this.scope;
    if (!isOverdue(stored, openedAt) && !hasPassed(this.eventStore, position, stored)) return;
    const sum = this.sumOf(creator_id, textOf(occurred_at.getTime()).slice(0, 7));
    sum[paid ? 'paid_generations' : 'free_generations'] += 1;
    sum.new_fans += first ? 1 : 0;
  }

  private sumOf(creator_id: string, month: string): ActivityMonthTable {
    const key = `${month} ${creator_id}`;
    let sum = this.sums.get(key);
    if (!sum) this.sums.set(key, (sum = { creator_id, month, paid_generations: 0, free_generations: 0, new_fans: 0 }));
    return sum;
  }

  /** Called when an account cannot be read. */
  giveUpMonths(): void {
    this.summable = false;
  }
}

class AccountActivityCheck implements AccountCheck {
  private readonly creators = new Set<string>();
  private readonly payments = new Map<string, ActivityPaymentTable>();
  private comparable = true;

  constructor(
    private readonly check: ActivityCheck,
    private readonly userId: string,
    private readonly isDue: IsDue,
    private readonly lines: LineComparison<ActivityImageRow>,
    private readonly stored: AccountRow['payments'],
    private readonly onDifference: OnDifference,
  ) {}

  add(stored: StoredEvent): Promise<void> | undefined {
    if (!this.comparable || !this.isDue(stored)) return undefined;
    const image = this.read(stored);
    if (!image) return undefined;
    this.check.sumUp(stored, image, !this.creators.has(image.creator_id));
    this.creators.add(image.creator_id);
    this.check.compared += 1;
    return this.lines.expect(image);
  }

  async end(): Promise<void> {
    if (!this.comparable) return;
    await this.lines.end(Number.MAX_SAFE_INTEGER);
    const differs = (sentence: string): void => this.onDifference(null, sentence);
    for (const row of this.stored) {
      const key = `${row.kind} ${row.payment_id}`;
      const due = this.payments.get(key);
      this.payments.delete(key);
      this.check.compared += 1;
      if (!due) {
        differs(`creator_activity_payment has the ${key}, but no event makes this row.`);
        continue;
      }
      const undone_at = row.undone_at === null ? null : new Date(row.undone_at);
      const found = { ...row, occurred_at: new Date(row.occurred_at), undone_at };
      compareRow('creator_activity_payment', found, due, (sentence) => differs(`${sentence}: ${key}.`));
    }
    for (const key of this.payments.keys()) differs(`creator_activity_payment lacks the ${key}.`);
  }

  /** @returns the image that the event delivers */
  private read(stored: StoredEvent): ActivityImageRow | null {
    try {
      return this.fold(stored);
    } catch (error) {
      this.comparable = false;
      this.check.giveUpMonths();
      this.onDifference(stored.version, `Images cannot be counted from this event on: ${messageOf(error)}`);
      return null;
    }
  }

  private fold(stored: StoredEvent): ActivityImageRow | null {
    const time = timeOf(stored);
    if (Number.isNaN(time)) throw new Error('it has no valid time.');
    const { type, data } = readCreditEvent(stored);
    if (!RELEVANT.has(type)) return null;
    const at = new Date(time);
    if (type === 'CreditsPurchased') this.pay('purchase', data.lotId, at);
    if (type === 'PurchaseReversed') this.pay(data.cause, data.reversalId, at);
    if (type === 'PurchaseReinstated') {
      for (const cause of ['refund', 'dispute']) {
        const reversal = this.payments.get(`${cause} ${data.reversalId}`);
        if (reversal) reversal.undone_at = at;
      }
    }
    if (type !== 'DeductionSettled') return null;
    const { cumulativeFrom: ownUntil } = this.check.scope;
    if (data.ownGeneration && ownUntil !== null && at.getTime() >= ownUntil.getTime()) return null;
    let [free, paid] = [0, false];
    for (const { kind, amount } of data.allocations) {
      if (kind === 'paid') paid = true;
      else free += amount;
    }
    return {
      user_id: this.userId,
      version: stored.version,
      creator_id: data.creatorId,
      deduction_id: data.deductionId,
      paid,
      free_credits: free,
      occurred_at: at,
    };
  }

  private pay(kind: ActivityPaymentTable['kind'], id: string, at: Date): void {
    const row = { user_id: this.userId, kind, payment_id: id, occurred_at: at, undone_at: null };
    if (!this.payments.has(`${kind} ${id}`)) this.payments.set(`${kind} ${id}`, row);
  }
}
