import { type Pool } from 'pg';
import type { EventStore, StoredEvent } from '../../platform/event-store/event-store.js';
import {
  accountProjection,
  balanceAfter,
  emptyBalance,
  transactionOf,
  type BalanceRow,
  type TransactionRow,
} from '../../credits/reads/account-projection.js';
import { userOfStream } from '../../credits/account/events.js';
import type { AccountAudit } from './account-audit.js';
import { AccountLines, LineComparison, type LineTable } from './account-lines.js';
import {
  compareRow,
  hasPassed,
  usersOfTable,
  type AccountCheck,
  type GroupCheck,
  type OnDifference,
  type ProjectionCheck,
} from './projection-check.js';

const TRANSACTIONS: LineTable<TransactionRow> = {
  name: 'credit_transaction',
  severalAnEvent: false,
  about: () => '',
};

/** The row of a balance with the version of the last line of the history: they commit together. */
type ProjectedBalance = BalanceRow & { readonly last_line: number | null };

/** What is stored of some accounts, as of one position of the projection. */
interface Stored {
  readonly position: string | null;
  readonly balances: ReadonlyMap<string, ProjectedBalance>;
  /** Lines of the history of users who have no balance: the version of one for each. */
  readonly stray: ReadonlyMap<string, number>;
}

/** Compares `credit_balance` and `credit_transaction` with a fresh fold, each account up to the version that it tells of. */
export class AccountProjectionCheck implements ProjectionCheck {
  readonly projection = accountProjection;
  compared = 0;

  constructor(
    private readonly pool: Pool,
    private readonly eventStore: EventStore,
  ) {}

  async begin(users: readonly string[]): Promise<GroupCheck> {
    const stored = await this.read(users);
    const accounts = users.map((userId) => ({ userId, until: stored.balances.get(userId)?.version ?? -1 }));
    const lines = new AccountLines(this.pool, TRANSACTIONS, accounts);
    const count = (): void => {
      this.compared += 1;
    };
    return {
      account: (place, audit, onDifference) =>
        new BalanceCheck(
          audit,
          stored,
          new LineComparison(lines, place, onDifference),
          onDifference,
          this.eventStore,
          count,
        ),
    };
  }

  /** Those of the history. Whoever has a balance is known to the verification. */
  users(): AsyncIterable<string[]> {
    return usersOfTable(this.pool, 'credit_transaction');
  }

  end(): void {
    // All that it keeps belongs to accounts
  }

  /** In one statement, so that position and rows are of one moment. */
  private async read(users: readonly string[]): Promise<Stored> {
    const { rows } = await this.pool.query<{ at: string | null; stray_line: number | null } & ProjectedBalance>(
      `select checkpoint.position as at, b.*, wanted.user_id,
         case when b.user_id is null then last.line end as stray_line,
         case when b.user_id is not null then last.line end as last_line
       from (select (select position from projection_checkpoint where name = $2) as position) as checkpoint
       cross join unnest($1::text[]) as wanted (user_id)
       left join credit_balance b on b.user_id = wanted.user_id
       cross join lateral (select max(t.version) as line from credit_transaction t where t.user_id = wanted.user_id) as last`,
      [users, accountProjection.name],
    );
    const balances = new Map<string, ProjectedBalance>();
    const stray = new Map<string, number>();
    for (const { at: _at, stray_line: line, ...balance } of rows) {
      if (line !== null) stray.set(balance.user_id, line);
      else if ((balance.version as number | null) !== null) balances.set(balance.user_id, balance);
    }
    return { position: rows[0]?.at ?? null, balances, stray };
  }
}

class BalanceCheck implements AccountCheck {
  private folded: BalanceRow;
  private comparable = true;
  /** The first event that the projection has passed without telling of it. */
  private passedOver: number | null = null;
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

  async add(stored: StoredEvent): Promise<void> {
    const { balance } = this;
    if (!balance || stored.version > balance.version) {
      if (this.passedOver === null && hasPassed(this.eventStore, this.stored.position, stored)) {
        this.passedOver = stored.version;
      }
      return;
    }
    this.comparable &&= this.audit.foldable;
    if (!this.comparable) return;
    const line = this.fold(stored);
    if (line === undefined) return;
    if (line) {
      this.count();
      await this.lines.expect(line);
    }
    if (stored.version === balance.version) this.compareBalance(balance);
  }

  /**
   * The line that the next event makes, null when it makes none. Undefined when forged content cannot be folded: that is
   * named, and nothing can be compared any more.
   */
  private fold(stored: StoredEvent): ReturnType<typeof transactionOf> | undefined {
    const before = this.folded;
    try {
      this.folded = balanceAfter(before, stored);
      return transactionOf(before, stored, this.folded);
    } catch (error) {
      this.comparable = false;
      const why = error instanceof Error ? error.message : String(error);
      this.onDifference(stored.version, `The projections cannot be made of this event and those before it: ${why}`);
      return undefined;
    }
  }

  async end(): Promise<void> {
    const { balance, audit } = this;
    if (balance && balance.version > audit.version) {
      const what = `The projections tell of events up to version ${balance.version}, and the stream ends at ${audit.version}: its end is gone.`;
      this.onDifference(audit.version + 1, what);
    } else if (balance && (balance.last_line ?? -1) > balance.version) {
      this.onDifference(balance.last_line, 'credit_transaction has a line that credit_balance does not know.');
    }
    const strayLine = this.stored.stray.get(userOfStream(audit.stream));
    if (strayLine !== undefined) {
      this.onDifference(strayLine, 'credit_transaction has lines of an account that credit_balance does not have.');
    }
    // Lines of events that are gone were named with the end of the stream
    if (this.comparable) await this.lines.end(audit.version);
    if (this.passedOver !== null) {
      this.onDifference(this.passedOver, 'The projections have passed this event, and do not tell of it.');
    }
  }

  private compareBalance(row: ProjectedBalance): void {
    this.count();
    compareRow('credit_balance', row, this.folded, (what) => this.onDifference(row.version, `${what}.`));
    const held = this.audit.recorded();
    for (const kind of ['daily', 'bonus', 'paid'] as const) {
      if (held[kind] === this.folded[kind]) continue;
      const what = `The lots hold ${held[kind]} ${kind} credits, and the fold of balances ${this.folded[kind]}.`;
      this.onDifference(row.version, what);
    }
  }
}
