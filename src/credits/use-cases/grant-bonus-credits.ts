import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { grantBonusCredits, requireAccount, type BonusGrant } from '../account/decide.js';
import { NoAccountError, OwnAccountError } from '../account/errors.js';
import { GRANT_LOT_PREFIX } from '../account/events.js';
import { accountTime, utcDay, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { AdminGrantLimit } from '../ledger/admin-grant-limit.js';
import { type ApprovedProposal, CreditActs } from '../ledger/credit-acts.js';
import { type Decide } from '../ledger/pending-command.js';

/** Maximum number of attempts of a grant that midnight interrupts. */
const MAX_ATTEMPTS = 3;

/**
 * Grants bonus credits: an admin's decision, or the demo data.
 * @throws GrantRefusedError
 * @throws NoAccountError
 * @throws AdminGrantLimitError
 * @throws OwnAccountError
 */
export class GrantBonusCredits extends Command<{ readonly balances: Balances; readonly position: string | null }> {
  constructor(
    readonly input: BonusGrant & {
      readonly userId: string;
      /**
       * A grant of an admin counts towards the admin's daily limit, and is refused when the user has no account yet.
       * One of the system creates the account. Both are acts in the log.
       */
      readonly by: Actor;
      /** It does not count towards the limit, because a second admin approves it. */
      readonly approves?: ApprovedProposal;
    },
  ) {
    super();
  }
}

/** The grant would be written on another UTC day than the one on which it was counted. */
class DayChangedError extends Error {
  constructor(readonly day: string) {
    super('The day has changed.');
  }
}

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
    let day = utcDay(this.clock.now().getTime());
    for (let attempt = 1; ; attempt += 1) {
      await this.limit.count({ ...input, adminId: admin.userId, day });
      try {
        return await this.grant(input, day);
      } catch (error) {
        if (!(error instanceof DayChangedError) || attempt === MAX_ATTEMPTS) throw error;
        ({ day } = error);
      }
    }
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

  /** @param day the UTC day on which a new grant must occur; null for any @throws DayChangedError */
  private async grant(
    input: GrantBonusCredits['input'],
    day: string | null,
  ): Promise<CommandResult<GrantBonusCredits>> {
    const { userId, by, grantId, amount, reason, approves } = input;
    const decide: Decide = (account, now) => {
      if (by.role !== 'system') requireAccount(account);
      const events = grantBonusCredits(input, account, now);
      const today = utcDay(accountTime(account, now));
      if (events.length > 0 && day !== null && today !== day) throw new DayChangedError(today);
      return events;
    };
    return this.acts.perform(
      { kind: 'credits.granted', userId, admin: by, requestId: grantId, amount, reason, approves },
      decide,
    );
  }
}
