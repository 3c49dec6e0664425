import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import {
  accountProjection,
  balanceAfter,
  emptyBalance,
  transactionOf,
  type BalanceRow,
  type TransactionRow,
  userOfStream,
} from '../../credits/index.js';
import { CREDIT_TRANSACTION } from '../../credits/tables.js';
import { type AccountAudit } from './account-audit.js';
import { LineComparison } from './account-lines.js';
import { linesOf, LineTexts } from './line-texts.js';
import {
  compareRow,
  hasPassed,
  isOverdue,
  PROJECTED_WITHIN_MS,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
} from './projection-check.js';
import { messageOf } from './stream-audit.js';
import { type LedgerStores } from './read-account.js';

const WITHIN = `within ${PROJECTED_WITHIN_MS / 60_000} minutes`;

const TRANSACTIONS = linesOf(CREDIT_TRANSACTION, () => '');

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

/**
 * Compares `credit_balance` and `credit_transaction` with a fresh fold, each account up to its projected version.
 * `sum-check.ts` compares `credits_held` with the balances.
 */
export class AccountProjectionCheck implements ProjectionCheck {
  readonly projection = accountProjection;
  compared = 0;
  differs = false;
  isComplete = true;

  constructor(private readonly sources: LedgerStores & { readonly now: () => Date }) {}

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const stored = await this.read(users);
    const accounts = users.map((userId) => ({ userId, until: stored.balances.get(userId)?.version ?? -1 }));
    const lines = new LineTexts(this.sources.pool, TRANSACTIONS, accounts);
    const count = (): void => {
      this.compared += 1;
    };
    return {
      account: (index, { audit }, report) => {
        const onDifference: OnDifference = (version, sentence) => {
          this.differs = true;
          report(version, sentence);
        };
        const comparison = new LineComparison(lines, index, onDifference);
        return new BalanceCheck(audit, stored, comparison, onDifference, this.sources.eventStore, count);
      },
    };
  }

  /** Users with transactions. The verification finds users with a balance itself. */
  users(): AsyncIterable<string[]> {
    return usersOfTable(this.sources.pool, 'credit_transaction');
  }

  /** Reads in one statement, so that position and rows belong to the same moment. */
  private async read(users: readonly string[]): Promise<Stored> {
    const readAt = this.sources.now().getTime();
    const { rows } = await this.sources.pool.query<{ at: string | null; stray_line: number | null } & ProjectedBalance>(
      {
        name: 'audit-balances',
        text: `select checkpoint.position as at, b.*, wanted.user_id,
         case when b.user_id is null then last.line end as stray_line,
         case when b.user_id is not null then last.line end as last_line
       from (select (select position from projection_checkpoint where name = $2) as position) as checkpoint
       cross join unnest($1::text[]) as wanted (user_id)
       left join credit_balance b on b.user_id = wanted.user_id
       cross join lateral (select max(t.version) as line from credit_transaction t where t.user_id = wanted.user_id) as last`,
        values: [users, accountProjection.name],
      },
    );
    const balances = new Map<string, ProjectedBalance>();
    const orphaned = new Map<string, number>();
    for (const { at: _at, stray_line: line, ...balance } of rows) {
      if (line !== null) orphaned.set(balance.user_id, line);
      else if ((balance.version as number | null) !== null) balances.set(balance.user_id, balance);
    }
    return { position: rows[0]?.at ?? null, readAt, balances, orphaned };
  }
}

class BalanceCheck implements AccountCheck {
  private folded: BalanceRow;
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
  ) {
    const userId = userOfStream(audit.stream);
    this.folded = emptyBalance(userId);
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
    const totals = this.audit.lots.recorded();
    for (const kind of ['daily', 'bonus', 'paid'] as const) {
      if (totals[kind] === this.folded[kind]) continue;
      const sentence = `The lots hold ${totals[kind]} ${kind} credits, but the fold of balances has ${this.folded[kind]}.`;
      this.onDifference(row.version, sentence);
    }
  }
}
