import { type Pool } from 'pg';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import {
  accountProjection,
  balanceAfter,
  emptyBalance,
  HeldSums,
  transactionOf,
  type BalanceRow,
  type HeldCredits,
  type TransactionRow,
  userOfStream,
} from '../../credits/index.js';
import { type AccountAudit } from './account-audit.js';
import { LineComparison } from './account-lines.js';
import { LineTexts, type LineTable } from './line-texts.js';
import {
  compareRow,
  compareRows,
  hasPassed,
  isOverdue,
  PROJECTED_WITHIN_MS,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
  type SumsScope,
} from './projection-check.js';
import { messageOf } from './stream-audit.js';

const WITHIN = `within ${PROJECTED_WITHIN_MS / 60_000} minutes`;

const TRANSACTIONS: LineTable<TransactionRow> = {
  name: 'credit_transaction',
  severalPerEvent: false,
  columns: {
    version: 'other',
    id: 'other',
    created_at: 'time',
    description: 'other',
    transaction_type: 'other',
    amount: 'other',
    balance_after: 'other',
    reference_id: 'other',
    creator_id: 'other',
  },
  describe: () => '',
};

/** A row of `credit_balance` with the version of the account's last `credit_transaction`: they commit together. */
type ProjectedBalance = BalanceRow & { readonly last_line: number | null };

/** Stored rows of some accounts, at one position of the projection. */
interface Stored {
  readonly position: string | null;
  /** When they were read, epoch milliseconds. */
  readonly readAt: number;
  readonly balances: ReadonlyMap<string, ProjectedBalance>;
  /** Users with transactions but without a balance: the version of their last transaction. */
  readonly orphaned: ReadonlyMap<string, number>;
}

/** The sums over the accounts of a check. Plain data. */
export interface BalancesPart {
  readonly compared: number;
  readonly held: readonly HeldCredits[];
  /** False when the part of an account is unknown. */
  readonly summable: boolean;
}

/**
 * Compares `credit_balance` and `credit_transaction` with a fresh fold, each account up to its projected version, and
 * `credits_held` with the sum of all accounts at the end.
 */
export class AccountProjectionCheck implements ProjectionCheck {
  readonly projection = accountProjection;
  compared = 0;
  private readonly held = new HeldSums();
  /** False once an account differs so that its part of the sums is unknown. That difference is reported. */
  private summable = true;

  /** @param storedHeld the rows of `credits_held`; null for a part of the accounts, which are compared without sums */
  constructor(
    private readonly pool: Pool,
    private readonly eventStore: EventStore,
    private readonly now: () => Date,
    readonly scope: SumsScope,
    private readonly storedHeld: readonly HeldCredits[] | null = null,
  ) {}

  /** Reads the sums now. Later events are left out of the sums. */
  static async open(pool: Pool, eventStore: EventStore, now: () => Date): Promise<AccountProjectionCheck> {
    const openedAt = now().getTime();
    const { rows } = await pool.query<{ position: string | null; rows: HeldRow[] }>(
      `select (select position from projection_checkpoint where name = $1) as position,
         (select coalesce(json_agg(json_build_object('kind', kind, 'credits', credits,
            'expires_at', case when isfinite(expires_at) then expires_at end)), '[]') from credits_held) as rows`,
      [accountProjection.name],
    );
    const held = (rows[0]?.rows ?? []).map((row) => ({
      ...row,
      expires_at: row.expires_at === null ? null : new Date(row.expires_at),
    }));
    const scope = { position: rows[0]?.position ?? null, openedAt };
    return new AccountProjectionCheck(pool, eventStore, now, scope, held);
  }

  /** The sums over the accounts so far. */
  part(): BalancesPart {
    return { compared: this.compared, held: this.held.rows(), summable: this.summable };
  }

  /** Adds the accounts of another check. */
  merge({ compared, held, summable }: BalancesPart): void {
    this.compared += compared;
    this.held.merge(held.map((row) => ({ ...row, expires_at: row.expires_at && new Date(row.expires_at) })));
    this.summable &&= summable;
  }

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const stored = await this.read(users);
    const accounts = users.map((userId) => ({ userId, until: stored.balances.get(userId)?.version ?? -1 }));
    const lines = new LineTexts(this.pool, TRANSACTIONS, accounts);
    const count = (): void => {
      this.compared += 1;
    };
    const sums: Sums = {
      includes: (event) => this.isSummed(event),
      add: (balance) => {
        if (balance) this.held.add(balance);
        else this.summable = false;
      },
    };
    return {
      account: (index, audit, onDifference) =>
        new BalanceCheck(
          audit,
          stored,
          new LineComparison(lines, index, onDifference),
          onDifference,
          this.eventStore,
          count,
          sums,
        ),
    };
  }

  /** Users with transactions. The verification finds users with a balance itself. */
  users(): AsyncIterable<string[]> {
    return usersOfTable(this.pool, 'credit_transaction');
  }

  end(onDifference: (sentence: string) => void): void {
    if (!this.summable || !this.storedHeld) return;
    this.compared += compareRows<HeldCredits>(
      'credits_held',
      {
        found: this.storedHeld,
        due: this.held.rows(),
        about: ({ kind, expires_at: expiresAt }) => (expiresAt ? `${kind} until ${expiresAt.toISOString()}` : kind),
      },
      onDifference,
    );
  }

  /** True when the stored sums must contain the event. */
  private isSummed(stored: StoredEvent): boolean {
    const { position, openedAt } = this.scope;
    return isOverdue(stored, openedAt) || hasPassed(this.eventStore, position, stored);
  }

  /** Reads in one statement, so that position and rows belong to the same moment. */
  private async read(users: readonly string[]): Promise<Stored> {
    const readAt = this.now().getTime();
    const { rows } = await this.pool.query<{ at: string | null; stray_line: number | null } & ProjectedBalance>({
      name: 'audit-balances',
      text: `select checkpoint.position as at, b.*, wanted.user_id,
         case when b.user_id is null then last.line end as stray_line,
         case when b.user_id is not null then last.line end as last_line
       from (select (select position from projection_checkpoint where name = $2) as position) as checkpoint
       cross join unnest($1::text[]) as wanted (user_id)
       left join credit_balance b on b.user_id = wanted.user_id
       cross join lateral (select max(t.version) as line from credit_transaction t where t.user_id = wanted.user_id) as last`,
      values: [users, accountProjection.name],
    });
    const balances = new Map<string, ProjectedBalance>();
    const orphaned = new Map<string, number>();
    for (const { at: _at, stray_line: line, ...balance } of rows) {
      if (line !== null) orphaned.set(balance.user_id, line);
      else if ((balance.version as number | null) !== null) balances.set(balance.user_id, balance);
    }
    return { position: rows[0]?.at ?? null, readAt, balances, orphaned };
  }
}

/** As JSON. */
type HeldRow = Omit<HeldCredits, 'expires_at'> & { readonly expires_at: string | null };

/** The sums over all accounts. */
interface Sums {
  /** True when the stored sums must contain the event. */
  readonly includes: (stored: StoredEvent) => boolean;
  /** Adds the balance after the account's last event that the sums include; null when it is unknown. */
  readonly add: (balance: BalanceRow | null) => void;
}

class BalanceCheck implements AccountCheck {
  private folded: BalanceRow;
  private summed: BalanceRow;
  private comparable = true;
  /** Version of the first event that the projection has passed and did not process. */
  private skipped: number | null = null;
  /** Version of the first event that was not processed for too long. */
  private overdue: number | null = null;
  private readonly balance: ProjectedBalance | undefined;

  constructor(
    private readonly audit: AccountAudit,
    private readonly stored: Stored,
    private readonly lines: LineComparison<TransactionRow>,
    private readonly onDifference: OnDifference,
    private readonly eventStore: EventStore,
    private readonly count: () => void,
    private readonly sums: Sums,
  ) {
    const userId = userOfStream(audit.stream);
    this.folded = this.summed = emptyBalance(userId);
    this.balance = stored.balances.get(userId);
  }

  add(stored: StoredEvent): Promise<void> | undefined {
    const { balance } = this;
    if (!balance || stored.version > balance.version) {
      if (this.skipped === null && hasPassed(this.eventStore, this.stored.position, stored)) {
        this.skipped = stored.version;
      }
      if (this.overdue === null && isOverdue(stored, this.stored.readAt)) this.overdue = stored.version;
      return undefined;
    }
    this.comparable &&= this.audit.readable;
    if (!this.comparable) return undefined;
    const line = this.fold(stored);
    if (line === undefined) return undefined;
    if (line) this.count();
    if (this.sums.includes(stored)) this.summed = this.folded;
    const reading = line ? this.lines.expect(line) : undefined;
    if (stored.version === balance.version) this.compareBalance(balance);
    return reading;
  }

  /**
   * The line that the next event makes; null when it makes none. Undefined when forged content cannot be folded: this
   * is reported, and the comparison of the account ends.
   */
  private fold(stored: StoredEvent): ReturnType<typeof transactionOf> | undefined {
    const before = this.folded;
    try {
      this.folded = balanceAfter(before, stored);
      return transactionOf(before, stored, this.folded);
    } catch (error) {
      this.comparable = false;
      this.onDifference(stored.version, `The projections cannot be computed up to this event: ${messageOf(error)}`);
      return undefined;
    }
  }

  async end(): Promise<void> {
    const { balance, audit } = this;
    if (balance && balance.version > audit.version) {
      const sentence = `The projections contain events up to version ${balance.version}, but the stream ends at ${audit.version}: its end is missing.`;
      this.onDifference(audit.version + 1, sentence);
    } else if (balance && (balance.last_line ?? -1) > balance.version) {
      this.onDifference(balance.last_line, 'credit_transaction has a line that credit_balance does not contain.');
    }
    const orphanedLine = this.stored.orphaned.get(userOfStream(audit.stream));
    if (orphanedLine !== undefined) {
      this.onDifference(orphanedLine, 'credit_transaction has lines of an account that credit_balance does not have.');
    }
    const isWhole = this.comparable && this.skipped === null && this.overdue === null && orphanedLine === undefined;
    this.sums.add(isWhole && (balance?.version ?? -1) <= audit.version ? this.summed : null);
    // Lines beyond the end of the stream are part of the problem reported above.
    if (this.comparable) await this.lines.end(audit.version);
    if (this.skipped !== null) {
      this.onDifference(this.skipped, 'The projections have passed this event without applying it.');
    } else if (this.overdue !== null) {
      this.onDifference(this.overdue, `The projections have not applied this event ${WITHIN}.`);
    }
  }

  private compareBalance(row: ProjectedBalance): void {
    this.count();
    compareRow('credit_balance', row, this.folded, (sentence) => this.onDifference(row.version, `${sentence}.`));
    const held = this.audit.recorded();
    for (const kind of ['daily', 'bonus', 'paid'] as const) {
      if (held[kind] === this.folded[kind]) continue;
      const sentence = `The lots hold ${held[kind]} ${kind} credits, but the fold of balances has ${this.folded[kind]}.`;
      this.onDifference(row.version, sentence);
    }
  }
}
