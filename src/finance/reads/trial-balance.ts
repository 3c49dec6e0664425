import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type BookBalance, type TrialBalance } from '../../contract/finance.js';
import { DATABASE } from '../../platform/database/database.js';
import { ACCOUNT, CHART, type ChartAccount } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { balancesAt, POSTED, POSTED_BY_PROCESSOR } from './balances.js';
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
    const { accounts, beginsAt } = await accountsAt(this.db, wanted ?? now);
    const at = checkedInstant(wanted, { now, beginsAt });
    return { at: at.toISOString(), begins_at: beginsAt?.toISOString() ?? null, ...toSides(accounts) };
  }
}

const COUNTED: ReadonlySet<number> = new Set([ACCOUNT.customerCredits, ACCOUNT.promotionalCredits]);

/** An account with its balance: debit positive. */
export interface AccountAt {
  readonly account: ChartAccount;
  /** US cents; null: unknown. */
  readonly cents: number | null;
  /** Signed like cents; null for accounts that do not count credits. */
  readonly credits: number | null;
}

/** Every account at an instant, in the order of the numbers, and the time of the first entry. One statement. */
export async function accountsAt(
  db: Kysely<FinanceTables>,
  at: Date,
): Promise<{ readonly accounts: readonly AccountAt[]; readonly beginsAt: Date | null }> {
  const read = [...POSTED, ...POSTED_BY_PROCESSOR, ...OF_CREATORS];
  const { balances, beginsAt, processorBeginsAt, debtCents } = await balancesAt(db, at, read);
  const shares = creatorBalances(balances, debtCents);
  const processorIsKnown = processorBeginsAt !== null && processorBeginsAt <= at;
  const accounts = CHART.filter(({ account }) => account !== ACCOUNT.creatorShare).map((account): AccountAt => {
    const balance = balances.get(account.account);
    const cents = shares.get(account.account) ?? balance?.cents ?? 0;
    const credits = COUNTED.has(account.account) ? (balance?.credits ?? 0) : null;
    return { account, cents: account.source === 'processor' && !processorIsKnown ? null : cents, credits };
  });
  return { accounts, beginsAt };
}

/** The balances as debits and credits, with their sums. */
export function toSides(
  accounts: readonly AccountAt[],
): Pick<TrialBalance, 'accounts' | 'debit_cents' | 'credit_cents'> {
  const rows = accounts.map(({ account: { account, name, kind }, cents, credits }): BookBalance => ({
    ...{ account, name, kind },
    debit_cents: cents === null ? null : Math.max(0, cents),
    credit_cents: cents === null ? null : Math.max(0, 0 - cents),
    // A liability in credits: what customers hold is positive
    credits: credits === null ? null : 0 - credits,
  }));
  const sum = (side: 'debit_cents' | 'credit_cents'): number =>
    rows.reduce((total, account) => total + (account[side] ?? 0), 0);
  return { accounts: rows, debit_cents: sum('debit_cents'), credit_cents: sum('credit_cents') };
}
