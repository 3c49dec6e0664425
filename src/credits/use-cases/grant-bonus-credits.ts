import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { grantBonusCredits, requireAccount, type BonusGrant } from '../account/decide.js';
import { NoAccountError } from '../account/errors.js';
import { GRANT_LOT_PREFIX } from '../account/events.js';
import { accountTime, balancesAt, utcDay, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { AdminGrantLimit } from '../ledger/admin-grant-limit.js';

/** Maximum number of attempts of a grant that midnight interrupts. */
const MAX_ATTEMPTS = 3;

/**
 * Grants bonus credits: an admin's decision, or the demo data.
 * @throws GrantRefusedError
 * @throws NoAccountError
 * @throws AdminGrantLimitError
 */
export class GrantBonusCredits extends Command<{ readonly balances: Balances; readonly position: string | null }> {
  constructor(
    readonly input: BonusGrant & {
      readonly userId: string;
      readonly actorId: string;
      /**
       * A call of an admin: it counts towards the actor's daily limit, and is refused when the user has no account yet.
       * By default the grant creates the account.
       */
      readonly byAdmin?: boolean;
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
    private readonly clock: Clock,
  ) {}

  async execute({ input }: GrantBonusCredits): Promise<CommandResult<GrantBonusCredits>> {
    if (!input.byAdmin || (await this.isRepeat(input))) return this.grant(input, null);
    let day = utcDay(this.clock.now().getTime());
    for (let attempt = 1; ; attempt += 1) {
      await this.limit.count({ ...input, adminId: input.actorId, day });
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
    const { answer, position } = await this.accounts.execute(
      input.userId,
      { actorId: input.actorId },
      (account, now) => {
        if (input.byAdmin) requireAccount(account);
        const events = grantBonusCredits(input, account, now);
        const today = utcDay(accountTime(account, now));
        if (events.length > 0 && day !== null && today !== day) throw new DayChangedError(today);
        return events;
      },
      balancesAt,
    );
    return { balances: answer, position };
  }
}
