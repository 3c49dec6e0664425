import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { adjustCredits, requireAccount, type Adjustment } from '../account/decide.js';
import { InsufficientCreditsError, NoAccountError, OwnAccountError } from '../account/errors.js';
import { type Balances, utcDay } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { AdminGrantLimit, onDay } from '../ledger/admin-grant-limit.js';
import { type ApprovedProposal, CreditActs } from '../ledger/credit-acts.js';

/** The account holds fewer credits than the correction takes. Nothing was taken. */
class AdjustmentTooLargeError extends DomainError {
  constructor(cause: InsufficientCreditsError) {
    const message = `The user has ${cause.available} credits; ${cause.required} cannot be taken.`;
    super('conflict', message, { code: '55000', cause });
  }
}

/**
 * An admin's correction downwards, in spending order. (Upwards: `GrantBonusCredits`.)
 * @throws AdjustmentRefusedError for an amount that is not a positive integer, or an id used with other content
 * @throws AdjustmentTooLargeError
 * @throws NoAccountError
 * @throws AdminGrantLimitError
 * @throws OwnAccountError
 */
export class AdjustCredits extends CommandOf<
  Adjustment & {
    readonly userId: string;
    readonly admin: Actor;
    /** It does not count towards the admin's daily limit, because a second admin approves it. */
    readonly approves?: ApprovedProposal;
  },
  Balances
> {}

@CommandHandler(AdjustCredits)
export class AdjustCreditsHandler implements ICommandHandler<AdjustCredits> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly limit: AdminGrantLimit,
    private readonly acts: CreditActs,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: AdjustCredits): Promise<CommandResult<AdjustCredits>> {
    const { userId, admin, adjustmentId, amount, approves } = input;
    if (admin.userId === userId) throw new OwnAccountError();
    if (approves || (await this.isRepeat(input))) return this.adjust(input, null);
    const today = utcDay(this.clock.now().getTime());
    const asked = { adminId: admin.userId, day: today, userId, grantId: `adjust:${adjustmentId}`, amount };
    return this.limit.counted(asked, (day) => this.adjust(input, day));
  }

  /** @param day the UTC day on which a new adjustment must occur; null for any */
  private async adjust(input: AdjustCredits['input'], day: string | null): Promise<CommandResult<AdjustCredits>> {
    const { userId, admin, adjustmentId: requestId, amount, reason, approves } = input;
    const decide = onDay(day, (account, now) => {
      requireAccount(account);
      try {
        return adjustCredits(input, account, now);
      } catch (error) {
        throw error instanceof InsufficientCreditsError ? new AdjustmentTooLargeError(error) : error;
      }
    });
    return this.acts.perform({ kind: 'credits.adjusted', userId, admin, requestId, amount, reason, approves }, decide);
  }

  /** True for a known adjustment, which is not counted again. @throws NoAccountError */
  private async isRepeat({ userId, adjustmentId }: AdjustCredits['input']): Promise<boolean> {
    const { exists, isKnown } = await this.accounts.read(userId, ({ lastEventAt, adjustments }) => ({
      exists: lastEventAt !== 0,
      isKnown: adjustments.has(adjustmentId),
    }));
    if (!exists) throw new NoAccountError();
    return isKnown;
  }
}
