import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { BonusGrantRequest, ClockRepairRequest, CreditAdjustmentRequest } from '../../contract/calls/credits.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { ADMIN_MONEY, Rpc } from '../../platform/http/routes.js';
import { type Balances } from '../account/state.js';
import { AdjustCredits } from '../use-cases/adjust-credits.js';
import { GrantBonusCredits } from '../use-cases/grant-bonus-credits.js';
import { RepairAccountClock } from '../use-cases/repair-account-clock.js';
import { type ClockRepairResponse, type CreditCorrectionResponse } from '../../contract/credits.js';

/** Corrections of an account by admins. The ledger stores the admin and the reason. */
@Controller()
export class AdminCreditsController {
  constructor(private readonly commands: CommandBus) {}

  @Rpc('grant_bonus_credits', ADMIN_MONEY)
  async grant(
    @Acting() admin: Actor,
    @Body() { p_user_id: userId, p_grant_id: id, p_amount, p_reason }: BonusGrantRequest,
  ): Promise<CreditCorrectionResponse> {
    const command = new GrantBonusCredits({
      userId,
      grantId: id,
      amount: p_amount,
      by: admin,
      reason: p_reason.trim(),
    });
    return corrected(userId, await this.commands.execute(command));
  }

  @Rpc('adjust_credits', ADMIN_MONEY)
  async adjust(
    @Acting() admin: Actor,
    @Body() { p_user_id: userId, p_adjustment_id: id, p_amount, p_reason }: CreditAdjustmentRequest,
  ): Promise<CreditCorrectionResponse> {
    const command = new AdjustCredits({
      userId,
      adjustmentId: id,
      amount: p_amount,
      admin,
      reason: p_reason.trim(),
    });
    return corrected(userId, await this.commands.execute(command));
  }

  @Rpc('repair_account_clock', ADMIN_MONEY)
  async repairClock(
    @Acting() admin: Actor,
    @Body() { p_user_id: userId, p_reason }: ClockRepairRequest,
  ): Promise<ClockRepairResponse> {
    const command = new RepairAccountClock({ userId, admin, reason: p_reason.trim() });
    const { aheadUntil } = await this.commands.execute(command);
    return {
      success: true,
      user_id: userId,
      repaired: aheadUntil !== null,
      ahead_until: aheadUntil?.toISOString() ?? null,
    };
  }
}

function corrected(userId: string, { daily, bonus, paid, total }: Balances): CreditCorrectionResponse {
  return {
    success: true,
    user_id: userId,
    new_daily_balance: daily,
    new_bonus_balance: bonus,
    new_paid_balance: paid,
    new_total_balance: total,
  };
}
