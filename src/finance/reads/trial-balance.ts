import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type BookBalance, type TrialBalance } from '../../contract/finance.js';
import { DATABASE } from '../../platform/database/database.js';
import { ACCOUNT, CHART, type ChartAccount } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { type Balance, balancesAt, POSTED, POSTED_BY_PROCESSOR } from './balances.js';
import { creatorBalances, OF_CREATORS } from './creator-balances.js';
import { checkedInstant } from './periods.js';
import { Clock } from '../../platform/clock.js';

/** The balance of every account at an instant. The creators' share is shown by its state. */
export class GetTrialBalance extends Query<TrialBalance> {
  /** @param at null: now */
  constructor(readonly at: Date | null) {
    super();
  }
}

@QueryHandler(GetTrialBalance)
export class GetTrialBalanceHandler implements IQueryHandler<GetTrialBalance> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError invalid for an instant in the future, or before the first entry */
  async execute({ at: wanted }: GetTrialBalance): Promise<TrialBalance> {
    const now = this.clock.now();
    const read = [...POSTED, ...POSTED_BY_PROCESSOR, ...OF_CREATORS];
    const { balances, beginsAt, processorBeginsAt, debtCents } = await balancesAt(this.db, wanted ?? now, read);
    const at = checkedInstant(wanted, { now, beginsAt });
    const shares = creatorBalances(balances, debtCents);
    const processorIsKnown = processorBeginsAt !== null && processorBeginsAt <= at;
    const accounts = CHART.filter(({ account }) => account !== ACCOUNT.creatorShare).map((account) => {
      const cents = shares.get(account.account);
      const balance = cents === undefined ? balances.get(account.account) : { cents, credits: 0 };
      return accountBalance(account, balance, processorIsKnown);
    });
    const sum = (side: 'debit_cents' | 'credit_cents'): number =>
      accounts.reduce((total, account) => total + (account[side] ?? 0), 0);
    return {
      ...{ at: at.toISOString(), begins_at: beginsAt?.toISOString() ?? null, accounts },
      ...{ debit_cents: sum('debit_cents'), credit_cents: sum('credit_cents') },
    };
  }
}

const COUNTED: ReadonlySet<number> = new Set([ACCOUNT.customerCredits, ACCOUNT.promotionalCredits]);

function accountBalance(
  { account, name, kind, source }: ChartAccount,
  { cents, credits }: Pick<Balance, 'cents' | 'credits'> = { cents: 0, credits: 0 },
  processorIsKnown: boolean,
): BookBalance {
  const unknown = source === 'processor' && !processorIsKnown;
  return {
    ...{ account, name, kind },
    debit_cents: unknown ? null : Math.max(0, cents),
    credit_cents: unknown ? null : Math.max(0, 0 - cents),
    // A liability in credits: what customers hold is positive
    credits: COUNTED.has(account) ? 0 - credits : null,
  };
}
