import { Inject, Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import { accountProjection, balanceAfter, emptyBalance, type BalanceRow } from './account-projection.js';
import { OpenAccount } from '../use-cases/commands.js';
import { accountStream } from '../account/events.js';
import type { CreditTables } from '../tables.js';
import type { CreditBreakdown, CreditTransaction } from '../../contract/credits.js';

/** How long a read of transactions waits for what was written before it, milliseconds. */
const READ_YOUR_WRITES_MS = 2000;

/** Answers what fans ask about their credits, from the projections, and never behind what was written before the question. */
@Injectable()
export class AccountReads {
  private readonly logger = new Logger(AccountReads.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly clock: Clock,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Balances as of now, lapsed credits left out. The account is opened on first sight of the user. That costs no reading beside
   * the command's own: what a new account holds is known.
   */
  async breakdown(userId: string): Promise<CreditBreakdown> {
    const projected = await this.projectedBalance(userId);
    const row = projected && (await this.upToNow(projected)).row;
    if (row?.opened) return this.breakdownOf(row);
    const { balances, untouched } = await this.commands.execute(new OpenAccount(userId));
    if (untouched) {
      const { bonus, total } = balances;
      return this.breakdownOf({ ...emptyBalance(userId), opened: true, bonus, lifetime_earned: total });
    }
    return this.breakdownOf((await this.currentBalance(userId)).row);
  }

  private breakdownOf(row: BalanceRow): CreditBreakdown {
    const lapsed = row.daily_expires_at !== null && row.daily_expires_at <= this.clock.now();
    const daily = lapsed ? 0 : row.daily;
    return {
      success: true,
      daily_credits: daily,
      bonus_credits: row.bonus,
      paid_credits: row.paid,
      total_balance: daily + row.bonus + row.paid,
      free_credits: daily + row.bonus,
      daily_credits_last_granted: row.last_daily_grant,
      debt: row.debt,
      lifetime_earned: row.lifetime_earned,
      lifetime_spent: row.lifetime_spent,
    };
  }

  /** A page of the account's transactions, newest first; pages count from 1. */
  async transactions(userId: string, pageSize: number, pageNumber: number): Promise<CreditTransaction[]> {
    await this.catchUp(userId);
    const rows = await this.db
      .selectFrom('credit_transaction')
      .select(['id', 'created_at', 'description', 'transaction_type', 'amount', 'balance_after'])
      .select(['reference_id', 'creator_id'])
      .where('user_id', '=', userId)
      .orderBy('version', 'desc')
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize)
      .execute();
    return rows.map(({ created_at, creator_id, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      metadata: creator_id === null ? {} : { creator_id },
    }));
  }

  async countTransactions(userId: string): Promise<number> {
    await this.catchUp(userId);
    const { count } = await this.db
      .selectFrom('credit_transaction')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** The projected row, with the events on top that the projection has not reached yet. */
  private async currentBalance(userId: string): Promise<{ row: BalanceRow; behind: string | null }> {
    return this.upToNow((await this.projectedBalance(userId)) ?? emptyBalance(userId));
  }

  private async projectedBalance(userId: string): Promise<BalanceRow | undefined> {
    return this.db.selectFrom('credit_balance').selectAll().where('user_id', '=', userId).executeTakeFirst();
  }

  private async upToNow(start: BalanceRow): Promise<{ row: BalanceRow; behind: string | null }> {
    const tail = await this.eventStore.readStream(accountStream(start.user_id), { fromVersion: start.version + 1 });
    return { row: tail.reduce(balanceAfter, start), behind: tail.at(-1)?.position ?? null };
  }

  /** Waits until the projection shows all that the account's stream holds now; goes on with what there is if that takes long. */
  private async catchUp(userId: string): Promise<void> {
    const { behind } = await this.currentBalance(userId);
    if (behind === null) return;
    const options = { name: accountProjection.name, timeoutMs: READ_YOUR_WRITES_MS };
    if (await this.projections.waitFor(behind, options)) return;
    this.logger.warn({ message: 'Transactions are shown without the latest ones.', userId, ...options });
  }
}
