import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type BookBalance, type ShareParts, type TrialBalance } from '../../contract/finance.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ACCOUNT, chartOf, type ChartAccount } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';
import { balancesAt, POSTED, POSTED_BY_PROCESSOR } from './balances.js';
import { creatorBalances, moneyOfBalances, OF_CREATORS, postedBalance } from './creator-balances.js';
import { checkedInstant } from './periods.js';

/** The balance of every account at an instant, with the parts of the creators' share. @param input null: now */
export class GetTrialBalance extends QueryOf<Date | null, TrialBalance> {}

@QueryHandler(GetTrialBalance)
export class GetTrialBalanceHandler extends ReadHandler<FinanceTables, GetTrialBalance> {
  /** @throws DomainError invalid for an instant in the future, or before the first entry */
  async execute({ input: wanted }: GetTrialBalance): Promise<TrialBalance> {
    const now = this.clock.now();
    const { accounts, beginsAt, creatorShare } = await accountsAt(this.db, wanted ?? now);
    const at = checkedInstant(wanted, { now, beginsAt });
    const begins_at = beginsAt?.toISOString() ?? null;
    return { at: at.toISOString(), begins_at, ...toSides(accounts), creator_share: creatorShare };
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

/** The figures of an instant. */
export interface FiguresAt {
  /** In the order of the numbers. */
  readonly accounts: readonly AccountAt[];
  /** How the creators' share is divided; null: by rule 1, whose accounts divide it. */
  readonly creatorShare: ShareParts | null;
  /** Time of the first entry. */
  readonly beginsAt: Date | null;
}

/** Every account at an instant. One statement. */
export async function accountsAt(db: Kysely<FinanceTables>, at: Date): Promise<FiguresAt> {
  const read = [...POSTED, ...POSTED_BY_PROCESSOR, ...OF_CREATORS];
  const { balances, beginsAt, processorBeginsAt, debtCents, rule } = await balancesAt(db, at, read);
  const money = moneyOfBalances(balances, debtCents);
  const shares = rule === 1 ? creatorBalances(money) : null;
  const processorIsKnown = processorBeginsAt !== null && processorBeginsAt <= at;
  const accounts = chartOf(rule).map((account): AccountAt => {
    const { account: number, source } = account;
    const credits = COUNTED.has(number) ? (balances.get(number)?.credits ?? 0) : null;
    const isUnknown = !processorIsKnown && (source === 'processor' || (source === 'bank' && rule === 1));
    if (isUnknown) return { account, cents: null, credits };
    const cents = shares?.get(number) ?? postedBalance(number, balances, rule);
    const isPart = source === 'bank' && !processorIsKnown;
    return { account: isPart ? { ...account, name: `${account.name} (payouts only)` } : account, cents, credits };
  });
  const { pending_cents, payable_cents, debt_cents } = money;
  return { accounts, creatorShare: shares ? null : { pending_cents, payable_cents, debt_cents }, beginsAt };
}

/** The balances as debits and credits, with their sums. */
export function toSides(
  accounts: readonly AccountAt[],
): Pick<TrialBalance, 'accounts' | 'debit_cents' | 'credit_cents'> {
  const rows = accounts.map(({ account: { account, name, kind }, cents, credits }): BookBalance => ({
    account,
    name,
    kind,
    debit_cents: cents === null ? null : Math.max(0, cents),
    credit_cents: cents === null ? null : Math.max(0, 0 - cents),
    // A liability in credits: what customers hold is positive
    credits: credits === null ? null : 0 - credits,
  }));
  const sum = (side: 'debit_cents' | 'credit_cents'): number =>
    rows.reduce((total, account) => total + (account[side] ?? 0), 0);
  return { accounts: rows, debit_cents: sum('debit_cents'), credit_cents: sum('credit_cents') };
}
