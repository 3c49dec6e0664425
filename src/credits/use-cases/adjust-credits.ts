import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../platform/domain-error.js';
import { adjustCredits, requireAccount, type Adjustment } from '../account/decide.js';
import { InsufficientCreditsError } from '../account/errors.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

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
 */
export class AdjustCredits extends Command<{ readonly balances: Balances; readonly position: string | null }> {
  constructor(readonly input: Adjustment & { readonly userId: string; readonly actorId: string }) {
    super();
  }
}

@CommandHandler(AdjustCredits)
export class AdjustCreditsHandler implements ICommandHandler<AdjustCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: AdjustCredits): Promise<CommandResult<AdjustCredits>> {
    try {
      const { answer, position } = await this.accounts.execute(
        input.userId,
        { actorId: input.actorId },
        (account, now) => {
          requireAccount(account);
          return adjustCredits(input, account, now);
        },
        balancesAt,
      );
      return { balances: answer, position };
    } catch (error) {
      throw error instanceof InsufficientCreditsError ? new AdjustmentTooLargeError(error) : error;
    }
  }
}
