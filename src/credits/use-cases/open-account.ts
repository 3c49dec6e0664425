import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type SignUpBonusState } from '../../contract/credits.js';
import { SIGN_UP_BONUS_CREDITS } from '../../contract/prices.js';
import { CommandOf } from '../../platform/messages.js';
import { OncePerPerson } from '../../platform/once-per-person.js';
import { openAccount } from '../account/decide.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';

export interface OpenAccountResult {
  readonly balances: Balances;
  /** Unless `granted`, the account stays as it was. */
  readonly bonus: SignUpBonusState;
  /** Bonus credits granted by this call, 0 when they had been granted before or are not due. */
  readonly granted: number;
  /** The account holds the full sign-up bonus and never held anything else. */
  readonly untouched: boolean;
}

/**
 * Opens the account when the user is first seen and grants the sign-up bonus, once a person. The claim is stored
 * first: a repeat after a crash completes it.
 */
export class OpenAccount extends CommandOf<{ readonly userId: string }, OpenAccountResult> {}

@CommandHandler(OpenAccount)
export class OpenAccountHandler implements ICommandHandler<OpenAccount> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly persons: OncePerPerson,
  ) {}

  async execute({ input: { userId } }: OpenAccount): Promise<OpenAccountResult> {
    const claim = await this.persons.claim(userId);
    const { answer, events } = await this.accounts.execute(
      userId,
      { actorId: userId },
      (account, now) => (claim === 'claimed' ? openAccount(account, now) : []),
      (account, at) => {
        const { opened, lotCount } = account;
        const balances = balancesAt(account, at);
        const untouched = opened && lotCount === 1 && balances.total === SIGN_UP_BONUS_CREDITS;
        const bonus: SignUpBonusState = opened || claim === 'claimed' ? 'granted' : claim;
        return { balances, untouched, bonus };
      },
    );
    return { ...answer, granted: events.length > 0 ? SIGN_UP_BONUS_CREDITS : 0 };
  }
}
