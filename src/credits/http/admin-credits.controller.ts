import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsInt, IsString, IsUUID, Length, Matches, Max, MaxLength, Min, NotContains } from 'class-validator';
import { type RpcRequest } from '../../contract/calls.js';
import { RATE_LIMITS, type RateLimit } from '../../contract/rate-limits.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/http/principal.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import {
  AdjustCredits,
  AdjustmentRefusedError,
  GrantBonusCredits,
  GrantRefusedError,
  InsufficientCreditsError,
  type Balances,
} from '../use-cases/commands.js';
import { MAX_AMOUNT } from '../account/constants.js';
import { type CreditCorrectionResponse } from '../../contract/credits.js';

const REASON_LENGTH = 500;

class CorrectionRequest {
  @IsString()
  @Length(1, 200)
  // What no stream's name can hold, and nothing that could pass for another id
  @Matches(/^[\x21-\x7e]+$/, { message: 'p_user_id must be printable characters without spaces' })
  p_user_id!: string;

  /** Credits. */
  @IsInt()
  @Min(1)
  @Max(MAX_AMOUNT)
  p_amount!: number;

  /** Stored for good: must not speak of a person. */
  @IsString()
  @MaxLength(REASON_LENGTH)
  @Matches(/\S/, { message: 'p_reason must say why, without naming a person' })
  @NotContains('\u0000')
  p_reason!: string;
}

class GrantRequest extends CorrectionRequest implements RpcRequest<'grant_bonus_credits'> {
  /** Of the caller's choice: the same id again for the same user is the same grant. */
  @IsUUID()
  p_grant_id!: string;
}

class AdjustmentRequest extends CorrectionRequest implements RpcRequest<'adjust_credits'> {
  /** Of the caller's choice: the same id again for the same user is the same adjustment. */
  @IsUUID()
  p_adjustment_id!: string;
}

const adminOnly: { access: 'admin'; freshRoles: true; limit: RateLimit } = {
  access: 'admin',
  freshRoles: true,
  limit: RATE_LIMITS.financialOps,
};

/** Corrections of an account by admins; actor and reason are in the ledger. */
@Controller()
export class AdminCreditsController {
  constructor(private readonly commands: CommandBus) {}

  /** Gives bonus credits. */
  @Rpc('grant_bonus_credits', adminOnly)
  async grant(
    @CurrentUser() { userId: actor }: Principal,
    @Body() { p_user_id: userId, p_grant_id: id, p_amount, p_reason }: GrantRequest,
  ): Promise<CreditCorrectionResponse> {
    const command = new GrantBonusCredits(userId, id.toLowerCase(), p_amount, actor, p_reason.trim(), true);
    return corrected(userId, () => this.commands.execute(command));
  }

  /** Takes credits away, daily ones first, then bonus, then paid. */
  @Rpc('adjust_credits', adminOnly)
  async adjust(
    @CurrentUser() { userId: actor }: Principal,
    @Body() { p_user_id: userId, p_adjustment_id: id, p_amount, p_reason }: AdjustmentRequest,
  ): Promise<CreditCorrectionResponse> {
    const command = new AdjustCredits(userId, id.toLowerCase(), p_amount, actor, p_reason.trim());
    return corrected(userId, () => this.commands.execute(command));
  }
}

/** @throws ApiError 409 with the reason when the ledger refuses; then nothing was done */
async function corrected(
  userId: string,
  execute: () => Promise<{ readonly balances: Balances }>,
): Promise<CreditCorrectionResponse> {
  try {
    const { balances } = await execute();
    return {
      success: true,
      user_id: userId,
      new_daily_balance: balances.daily,
      new_bonus_balance: balances.bonus,
      new_paid_balance: balances.paid,
      new_total_balance: balances.total,
    };
  } catch (error) {
    if (error instanceof InsufficientCreditsError) {
      const message = `The user has ${error.available} credits; ${error.required} cannot be taken.`;
      throw new ApiError(409, message, { code: '55000', cause: error });
    }
    if (error instanceof GrantRefusedError || error instanceof AdjustmentRefusedError) {
      throw new ApiError(409, error.message, { cause: error });
    }
    throw error;
  }
}
