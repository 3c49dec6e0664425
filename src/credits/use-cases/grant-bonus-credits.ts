import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { CommandOf } from '../../platform/messages.js';
import { grantBonusCredits, requireAccount, type BonusGrant } from '../account/decide.js';
import { NoAccountError, OwnAccountError } from '../account/errors.js';
import { GRANT_LOT_PREFIX } from '../account/events.js';
import { utcDay, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { AdminGrantLimit, onDay } from '../ledger/admin-grant-limit.js';
import { type ApprovedProposal, CreditActs } from '../ledger/credit-acts.js';

/**
 * Grants bonus credits: an admin's decision, or the demo data.
 * @throws GrantRefusedError
 * @throws NoAccountError
 * @throws AdminGrantLimitError
 * @throws OwnAccountError
 */
export class GrantBonusCredits extends CommandOf<
  BonusGrant & {
    readonly userId: string;
    /**
     * A grant of an admin counts towards the admin's daily limit, and is refused when the user has no account yet.
     * One of the system creates the account. Both are acts in the log.
     */
    readonly by: Actor;
    /** It does not count towards the limit, because a second admin approves it. */
    readonly approves?: ApprovedProposal;
  },
  Balances
> {}

@CommandHandler(GrantBonusCredits)
export class GrantBonusCreditsHandler implements ICommandHandler<GrantBonusCredits> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly limit: AdminGrantLimit,
    private readonly acts: CreditActs,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: GrantBonusCredits): Promise<CommandResult<GrantBonusCredits>> {
    const { by: admin } = input;
    if (admin.role !== 'system' && admin.userId === input.userId) throw new OwnAccountError();
    if (admin.role === 'system' || (await this.isRepeat(input)) || input.approves) return this.grant(input, null);
    const asked = { ...input, adminId: admin.userId, day: utcDay(this.clock.now().getTime()) };
    return this.limit.counted(asked, (day) => this.grant(input, day));
  }

  /** True for a known grant, which is not counted again. @throws NoAccountError */
  private async isRepeat({ userId, grantId }: GrantBonusCredits['input']): Promise<boolean> {
    const { exists, isKnown } = await this.accounts.read(userId, ({ lastEventAt, grants }) => ({
      exists: lastEventAt !== 0,
      isKnown: grants.has(GRANT_LOT_PREFIX + grantId),
    }));
    if (!exists) throw new NoAccountError();
    return isKnown;
  }

  /** @param day the UTC day on which a new grant must occur; null for any */
  private async grant(
    input: GrantBonusCredits['input'],
    day: string | null,
  ): Promise<CommandResult<GrantBonusCredits>> {
    const { userId, by, grantId, amount, reason, approves } = input;
    const decide = onDay(day, (account, now) => {
      if (by.role !== 'system') requireAccount(account);
      return grantBonusCredits(input, account, now);
    });
    return this.acts.perform(
      { kind: 'credits.granted', userId, admin: by, requestId: grantId, amount, reason, approves },
      decide,
    );
  }
}
