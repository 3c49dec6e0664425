import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '../../platform/messages.js';
import { grantDailyCredits } from '../account/decide.js';
import { balancesAt, type AccountState, type Balances } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { PolicyStore } from '../policy/policy-store.js';
import { SignUpBonus } from '../ledger/sign-up-bonus.js';

export interface GrantDailyCreditsResult {
  /** False when today's grant had been made before. */
  readonly granted: boolean;
  /** Credits granted by this call, 0 when not granted. */
  readonly amount: number;
  /** UTC day, YYYY-MM-DD. */
  readonly grantDate: string;
  readonly balances: Balances;
}

/** Grants today's (UTC) daily credits, once a day. */
export class GrantDailyCredits extends CommandOf<{ readonly userId: string }, GrantDailyCreditsResult> {}

@CommandHandler(GrantDailyCredits)
export class GrantDailyCreditsHandler implements ICommandHandler<GrantDailyCredits> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly bonus: SignUpBonus,
    private readonly policy: PolicyStore,
  ) {}

  async execute({ input: { userId } }: GrantDailyCredits): Promise<GrantDailyCreditsResult> {
    // Another process may have changed the amount: from the next day on, grants of the old one would be wrong.
    await this.policy.refresh();
    const settings = await this.policy.inForce();
    const { answer, events } = await this.bonus.decideFor(userId, (bonus) =>
      this.accounts.execute(
        userId,
        { actorId: userId },
        (account, now) => grantDailyCredits(account, now, settings, bonus),
        (account, at) => ({ grantDate: requireDailyGrant(account), balances: balancesAt(account, at) }),
      ),
    );
    const grant = events.find(({ type, data }) => type === 'CreditsGranted' && data.source === 'daily');
    return { granted: grant !== undefined, amount: grant ? settings.dailyGrantCredits : 0, ...answer };
  }
}

function requireDailyGrant({ lastDailyGrant }: AccountState): string {
  if (lastDailyGrant === null) throw new Error('The account has no daily grant after granting one.');
  return lastDailyGrant;
}
