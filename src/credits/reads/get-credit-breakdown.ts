import { Inject } from '@nestjs/common';
import { CommandBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import type { CreditBreakdown, SignUpBonusState } from '../../contract/credits.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { QueryOf } from '../../platform/messages.js';
import type { CreditTables } from '../tables.js';
import { OpenAccount } from '../use-cases/open-account.js';
import { emptyBalance, type BalanceRow } from './account-projection.js';
import { projectedBalance, upToNow } from './current-balance.js';

/** Balances as of now, without lapsed credits. Opens the account if it is not open yet and the bonus is due. */
export class GetCreditBreakdown extends QueryOf<{ readonly userId: string }, CreditBreakdown> {}

@QueryHandler(GetCreditBreakdown)
export class GetCreditBreakdownHandler implements IQueryHandler<GetCreditBreakdown> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly commands: CommandBus,
  ) {}

  async execute({ input: { userId } }: GetCreditBreakdown): Promise<CreditBreakdown> {
    const projected = await projectedBalance(this.db, userId);
    const row = projected && (await upToNow(this.eventStore, projected)).row;
    if (row?.opened) return this.breakdownOf(row, 'granted');
    const { balances, bonus: state, granted, untouched } = await this.commands.execute(new OpenAccount({ userId }));
    if (untouched) {
      // The content of a new account is known: no second read.
      const { bonus, total } = balances;
      return this.breakdownOf({ ...emptyBalance(userId), opened: true, bonus, lifetime_earned: total }, state);
    }
    if (row && (granted > 0 || state !== 'granted')) {
      const { bonus, lifetime_earned: earned } = row;
      return this.breakdownOf({ ...row, bonus: bonus + granted, lifetime_earned: earned + granted }, state);
    }
    const current = await upToNow(this.eventStore, row ?? emptyBalance(userId));
    return this.breakdownOf(current.row, state);
  }

  private breakdownOf(row: BalanceRow, bonus: SignUpBonusState): CreditBreakdown {
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
      sign_up_bonus: bonus,
    };
  }
}
