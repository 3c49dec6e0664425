import type { BookMonth } from '../../../../../src/contract/finance.js';
import type { Figure, FigureColumn, FigureRow } from '../components/figure-table.js';
import { deferredPath, entriesPath } from '../finance-paths.js';
import { addMonths, monthsPeriod } from '../finance-text.js';

/** Accounts behind the figures of a month, by the chart of accounts. */
const ACCOUNTS = {
  bought: [1010],
  refunded: [1020],
  disputed: [1030],
  delivered: [2100, 4000],
  other: [4100, 4200, 5100, 5200],
  creators: [2100],
  platform: [4000],
  otherIncome: [4100, 4200],
  losses: [5100, 5200],
} as const;

const DEFERRED = 'Deferred revenue';
const EARNED = 'Earned';

/** From the deferred revenue at the start of a month to that at its end, and what was earned meanwhile. */
export const REVENUE_COLUMNS: readonly FigureColumn[] = [
  { group: DEFERRED, label: 'Opening', muted: true },
  { group: DEFERRED, label: 'Bought' },
  { group: DEFERRED, label: 'Refunded', change: true },
  { group: DEFERRED, label: 'Disputed', change: true },
  { group: DEFERRED, label: 'Delivered', change: true },
  { group: DEFERRED, label: 'Other', change: true },
  { group: DEFERRED, label: 'Closing', strong: true },
  { group: EARNED, label: 'Creators' },
  { group: EARNED, label: 'Fanvas' },
  { group: EARNED, label: 'Other income' },
  { group: EARNED, label: 'Losses' },
];

/** A row of the table of revenue. @param first the oldest month of the row; a month of its own by default */
export function revenueRow(month: BookMonth, name: string, head: React.ReactNode, first = month.month): FigureRow {
  const period = monthsPeriod(first, month.month);
  const entries = (value: number, accounts: readonly number[]): Figure => ({
    value,
    to: entriesPath({ accounts, ...period }),
  });
  return {
    // A sum of one month is another row than that month.
    key: name,
    name,
    head,
    figures: [
      { value: month.opening_cents, to: month.opening_cents === 0 ? undefined : deferredPath(addMonths(first, -1)) },
      entries(month.sold_cents, ACCOUNTS.bought),
      entries(0 - month.refunded_cents, ACCOUNTS.refunded),
      entries(0 - month.charged_back_cents, ACCOUNTS.disputed),
      entries(0 - month.recognised_cents, ACCOUNTS.delivered),
      entries(otherOf(month), ACCOUNTS.other),
      { value: month.deferred_cents, to: deferredPath(month.month) },
      entries(month.creator_cents, ACCOUNTS.creators),
      entries(month.platform_cents, ACCOUNTS.platform),
      entries(month.other_income_cents, ACCOUNTS.otherIncome),
      entries(0 - month.loss_cents, ACCOUNTS.losses),
    ],
  };
}

/** All other changes of the deferred revenue: losses did not come from it, other income left it. */
function otherOf(month: BookMonth): number {
  return month.loss_cents - month.other_income_cents;
}

/** Whether a month leads from its opening to its closing. */
export function addsUp(month: BookMonth): boolean {
  const { opening_cents: opening, sold_cents: sold, refunded_cents: refunded, charged_back_cents: disputed } = month;
  return opening + sold - refunded - disputed - month.recognised_cents + otherOf(month) === month.deferred_cents;
}

/** The sums of some months. @param months the latest first, at least one */
export function sumOfMonths(months: readonly BookMonth[]): BookMonth {
  const [latest] = months as [BookMonth];
  const sum = (figure: (month: BookMonth) => number): number =>
    months.reduce((total, month) => total + figure(month), 0);
  return {
    ...latest,
    opening_cents: months.at(-1)!.opening_cents,
    sold_cents: sum((month) => month.sold_cents),
    recognised_cents: sum((month) => month.recognised_cents),
    recognised_credits: sum((month) => month.recognised_credits),
    creator_cents: sum((month) => month.creator_cents),
    platform_cents: sum((month) => month.platform_cents),
    refunded_cents: sum((month) => month.refunded_cents),
    charged_back_cents: sum((month) => month.charged_back_cents),
    other_income_cents: sum((month) => month.other_income_cents),
    loss_cents: sum((month) => month.loss_cents),
  };
}
