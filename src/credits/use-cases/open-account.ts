import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SIGN_UP_BONUS_CREDITS } from '../../contract/prices.js';
import { openAccount } from '../account/decide.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

export interface OpenAccountResult {
  readonly balances: Balances;
  /** The account holds the full sign-up bonus and never held anything else. */
  readonly untouched: boolean;
  /** Position in the event store of the last event written; null when nothing was written. */
  readonly position: string | null;
}

/** Opens the account when the user is first seen and grants the sign-up bonus, once per identity. */
export class OpenAccount extends Command<OpenAccountResult> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@CommandHandler(OpenAccount)
export class OpenAccountHandler implements ICommandHandler<OpenAccount> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input: { userId } }: OpenAccount): Promise<OpenAccountResult> {
    const { answer, position } = await this.accounts.execute(
      userId,
      { actorId: userId },
      openAccount,
      (account, at) => {
        const balances = balancesAt(account, at);
        return { balances, untouched: account.lotCount === 1 && balances.total === SIGN_UP_BONUS_CREDITS };
      },
    );
    return { ...answer, position };
  }
}
