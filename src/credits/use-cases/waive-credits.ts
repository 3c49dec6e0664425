import { CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { waivePaidCredits } from '../account/decide.js';
import { AccountStore } from '../ledger/account-store.js';

/**
 * Takes all unspent paid credits of an account whose owner closed it and gave them up.
 * @returns the credits taken now; 0 when there were none, as in a repeat
 */
export class WaiveCredits extends CommandOf<
  {
    readonly userId: string;
    /** The closure. */
    readonly waiverId: string;
  },
  { readonly waived: number }
> {}

@CommandHandler(WaiveCredits)
export class WaiveCreditsHandler implements ICommandHandler<WaiveCredits> {
  constructor(private readonly accounts: AccountStore) {}

  async execute({ input }: WaiveCredits): Promise<CommandResult<WaiveCredits>> {
    let waived = 0;
    await this.accounts.execute(input.userId, { actorId: input.userId }, (account, now) => {
      const events = waivePaidCredits(input, account, now);
      waived = events.reduce((sum, { type, data }) => sum + (type === 'CreditsWaived' ? data.amount : 0), 0);
      return events;
    });
    return { waived };
  }
}
