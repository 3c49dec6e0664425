import { type FigureChange } from '../../contract/finance.js';
import { ACCOUNT, CHART } from '../chart-of-accounts.js';
import { type MonthClosed } from '../processor/events.js';
import { type FiguresAt } from '../reads/trial-balance.js';

type Figures = Pick<FiguresAt, 'accounts' | 'creatorShare'>;

/**
 * The figures that a close fixes in one text: number, cents (debit positive) and credits of each known account, and of
 * the parts of the creators' share.
 */
export function figuresText({ accounts, creatorShare: parts }: Figures): string {
  const lines = balancesOf(accounts).map(({ account, cents, credits }) => [account, cents, credits]);
  if (parts) {
    lines.push([ACCOUNT.creatorDebt, parts.debt_cents, 0], [ACCOUNT.creatorPending, 0 - parts.pending_cents, 0]);
    lines.push([ACCOUNT.creatorPayable, 0 - parts.payable_cents, 0]);
  }
  return lines.map((line) => line.join(':')).join(';');
}

/** The accounts that two texts of {@link figuresText} state differently. */
export function changesOf(seen: string, found: string): FigureChange[] {
  const before = read(seen);
  const after = read(found);
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort((a, b) => a - b)
    .map((account) => {
      const [seen_cents = null, seen_credits = 0] = before.get(account) ?? [];
      const [found_cents = null, found_credits = 0] = after.get(account) ?? [];
      const name = CHART.find((each) => each.account === account)?.name ?? 'Unknown account';
      return { account, name, seen_cents, found_cents, seen_credits, found_credits };
    })
    .filter((each) => each.seen_cents !== each.found_cents || each.seen_credits !== each.found_credits);
}

function read(text: string): Map<number, number[]> {
  return new Map(
    text.split(';').map((line) => {
      const [account = 0, ...amounts] = line.split(':').map(Number);
      return [account, amounts];
    }),
  );
}

/** The event that closes a month with these figures. */
export function closeOf(
  month: string,
  { accounts, creatorShare: parts }: Figures,
): { type: 'MonthClosed'; data: MonthClosed } {
  if (parts === null) throw new Error(`${month} is a month of rule 1, which is closed.`);
  const balances = balancesOf(accounts);
  const creatorShare = {
    pendingCents: parts.pending_cents,
    payableCents: parts.payable_cents,
    debtCents: parts.debt_cents,
  };
  return { type: 'MonthClosed', data: { schemaVersion: 2, month, balances, creatorShare } };
}

function balancesOf(accounts: Figures['accounts']): MonthClosed['balances'] {
  return accounts.flatMap(({ account: { account }, cents, credits }) =>
    cents === null ? [] : [{ account, cents, credits: credits ?? 0 }],
  );
}
