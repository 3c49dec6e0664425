import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '../../platform/messages.js';
import { inSpendingOrder } from '../account/decide.js';
import { balancesAt, type Balances, type Lot, utcDay } from '../account/state.js';
import { AccountStore } from '../ledger/account-store.js';
import { PolicyStore } from '../policy/policy-store.js';

export interface AccountForAdmins {
  readonly balances: Balances;
  /** Unexpired lots in the order in which they are spent. */
  readonly lots: readonly Lot[];
  /** Credits that one admin may grant and take a UTC day. */
  readonly grantLimit: number;
  /** The UTC day, YYYY-MM-DD, to which that limit applies now. */
  readonly day: string;
}

/** An account as of its stream, for an admin. Does not open it. */
export class GetAccountForAdmins extends QueryOf<{ readonly userId: string }, AccountForAdmins> {}

@QueryHandler(GetAccountForAdmins)
export class GetAccountForAdminsHandler implements IQueryHandler<GetAccountForAdmins> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly policy: PolicyStore,
  ) {}

  async execute({ input: { userId } }: GetAccountForAdmins): Promise<AccountForAdmins> {
    const { now, ...account } = await this.accounts.read(userId, (state, at) => ({
      now: at,
      balances: balancesAt(state, at),
      lots: inSpendingOrder(state.lots).filter(({ expiresAt }) => expiresAt === null || expiresAt > at),
    }));
    const { adminGrantLimitCredits: grantLimit } = await this.policy.inForce();
    return { ...account, grantLimit, day: utcDay(now) };
  }
}
