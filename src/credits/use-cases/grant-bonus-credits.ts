import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { grantBonusCredits, requireAccount, type BonusGrant } from '../account/decide.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

/**
 * Grants bonus credits: an admin's decision, or the demo data.
 * @throws GrantRefusedError
 * @throws NoAccountError
 */
export class GrantBonusCredits extends Command<{ readonly balances: Balances; readonly position: string | null }> {
  constructor(
    readonly input: BonusGrant & {
      readonly userId: string;
      readonly actorId: string;
      /** Refuse when the user has no account yet. By default the grant creates it. */
      readonly accountMustExist?: boolean;
    },
  ) {
    super();
  }
}

@CommandHandler(GrantBonusCredits)
export class GrantBonusCreditsHandler implements ICommandHandler<GrantBonusCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: GrantBonusCredits): Promise<CommandResult<GrantBonusCredits>> {
    const { answer, position } = await this.accounts.execute(
      input.userId,
      { actorId: input.actorId },
      (account, now) => {
        if (input.accountMustExist) requireAccount(account);
        return grantBonusCredits(input, account, now);
      },
      balancesAt,
    );
    return { balances: answer, position };
  }
}
