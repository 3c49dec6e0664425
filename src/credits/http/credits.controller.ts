import { Body, Controller, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { TransactionsRequest } from '../../contract/calls/credits.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { CountTransactions } from '../reads/count-transactions.js';
import { GetCreditBreakdown } from '../reads/get-credit-breakdown.js';
import { GetTransactions } from '../reads/get-transactions.js';
import { GrantDailyCredits } from '../use-cases/grant-daily-credits.js';
import { type CreditBreakdown, type CreditTransaction, type DailyGrantResponse } from '../../contract/credits.js';

/** The fan's own credits on the wire (fan spec, sections 7 and 8). */
@Controller()
export class CreditsController {
  private readonly logger = new Logger(CreditsController.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_user_credit_breakdown', signedIn('view credits', RATE_LIMITS.dataFetch))
  async breakdown(@CurrentUser() { userId }: Principal): Promise<CreditBreakdown> {
    return this.queries.execute(new GetCreditBreakdown({ userId }));
  }

  @Rpc('grant_daily_credits_by_jwt', {
    access: 'user',
    limit: RATE_LIMITS.dailyGrant,
    authenticationMessage: 'Authentication failed: Your session may have expired. Please sign in again.',
  })
  async grantDaily(@CurrentUser() { userId }: Principal): Promise<DailyGrantResponse> {
    try {
      const { granted, amount, grantDate, balances } = await this.commands.execute(new GrantDailyCredits({ userId }));
      return {
        success: true,
        error_code: granted ? null : 'ALREADY_GRANTED_TODAY',
        error: granted ? null : 'Daily credits already received today',
        credits_granted: amount,
        grant_date: grantDate,
        last_granted_date: grantDate,
        new_daily_balance: balances.daily,
        new_total_balance: balances.total,
        current_daily_credits: balances.daily,
        current_total_balance: balances.total,
      };
    } catch (error) {
      // A failed grant must not block the fan: the client reads the code and continues.
      this.logger.error('The daily grant could not be written.', { userId, error });
      return {
        success: false,
        error_code: 'DATABASE_ERROR',
        error: 'Failed to process daily credit grant. Please try again later.',
      };
    }
  }

  @Rpc('get_user_transactions_by_jwt', signedIn('view credits', RATE_LIMITS.creditData))
  async transactions(
    @CurrentUser() { userId }: Principal,
    @Body() { page_size, page_number }: TransactionsRequest,
  ): Promise<CreditTransaction[]> {
    return this.queries.execute(
      new GetTransactions({ userId, pageSize: page_size ?? PAGE_SIZES.transactions, pageNumber: page_number ?? 1 }),
    );
  }

  @Rpc('count_user_transactions_by_jwt', signedIn('view credits', RATE_LIMITS.creditData))
  async countTransactions(@CurrentUser() { userId }: Principal): Promise<number> {
    return this.queries.execute(new CountTransactions({ userId }));
  }
}
