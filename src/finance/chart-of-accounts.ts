/** Assets and expenses have debit balances, the others credit balances. */
export type AccountKind = 'asset' | 'liability' | 'income' | 'expense' | 'memorandum';

/**
 * The events that post to an account. `ledger`: events of accounts. `time`: none; it is a part of another account that
 * follows from the time. `processor`: events of the stream `processor`; the balance is unknown before the first one.
 * `payouts`: events of payouts; the balance is zero before the first one. `bank`: both.
 */
export type AccountSource = 'ledger' | 'time' | 'processor' | 'payouts' | 'bank';

/**
 * The chart of accounts: number, name, kind and source, in the order of the numbers. docs/books.md explains each
 * account. A number is never used again for something else.
 */
const ACCOUNTS = {
  receipts: [1010, 'Processor cash: payments received', 'asset', 'ledger'],
  unmatchedCash: [1015, 'Processor cash: not in the ledger', 'asset', 'processor'],
  refundsPaid: [1020, 'Processor cash: refunds paid', 'asset', 'ledger'],
  disputesTaken: [1030, 'Processor cash: chargebacks', 'asset', 'ledger'],
  feesWithheld: [1040, 'Processor cash: fees withheld', 'asset', 'processor'],
  transfersToBank: [1050, 'Processor cash: transfers to the bank', 'asset', 'processor'],
  otherShopsCash: [1060, 'Processor cash: other shops', 'asset', 'processor'],
  bank: [1100, 'Bank', 'asset', 'bank'],
  creatorDebt: [1200, 'Creator debt', 'asset', 'time'],
  customerCredits: [2000, 'Customer credits (deferred revenue)', 'liability', 'ledger'],
  promotionalCredits: [2050, 'Promotional credits', 'memorandum', 'ledger'],
  creatorShare: [2100, 'Creator share', 'liability', 'ledger'],
  creatorPending: [2110, 'Creator share: pending', 'liability', 'time'],
  creatorPayable: [2120, 'Creator share: payable', 'liability', 'time'],
  payoutsUnderWay: [2130, 'Creator share: payouts under way', 'liability', 'payouts'],
  payoutsPaid: [2140, 'Creator share: paid', 'liability', 'payouts'],
  unmatchedReceipts: [2300, 'Unmatched receipts', 'liability', 'processor'],
  otherShops: [2310, 'Other shops', 'liability', 'processor'],
  platformRevenue: [4000, 'Platform revenue', 'income', 'ledger'],
  forfeitedCredits: [4100, 'Forfeited credits', 'income', 'ledger'],
  priceRemainders: [4200, 'Remainders of prices', 'income', 'ledger'],
  refundLosses: [5100, 'Losses from refunds', 'expense', 'ledger'],
  chargebackLosses: [5200, 'Losses from chargebacks', 'expense', 'ledger'],
  processorFees: [5300, 'Processor fees', 'expense', 'processor'],
} as const satisfies Record<string, readonly [number, string, AccountKind, AccountSource]>;

type Accounts = typeof ACCOUNTS;

/** The number of an account. */
export type AccountNumber = Accounts[keyof Accounts][0];

/** The numbers under which the books are kept. */
export const ACCOUNT = Object.fromEntries(Object.entries(ACCOUNTS).map(([name, [number]]) => [name, number])) as {
  readonly [Name in keyof Accounts]: Accounts[Name][0];
};

/** An account of the chart. */
export interface ChartAccount {
  readonly account: AccountNumber;
  readonly name: string;
  readonly kind: AccountKind;
  readonly source: AccountSource;
}

/** Every account, in the order of the numbers. */
export const CHART: readonly ChartAccount[] = Object.values(ACCOUNTS).map(([account, name, kind, source]) => ({
  account,
  name,
  kind,
  source,
}));

/**
 * The rule of the books at an instant: 1 up to the end of the last month that version 1 of `MonthClosed` has closed,
 * then 2 (docs/books.md).
 */
export type BooksRule = 1 | 2;

/** Rule 1 divides the creators' share among these accounts. */
const OF_RULE_1: ReadonlySet<number> = new Set([
  ...[ACCOUNT.creatorDebt, ACCOUNT.creatorPending, ACCOUNT.creatorPayable, ACCOUNT.payoutsPaid],
]);

/** The accounts of a trial balance. */
export function chartOf(rule: BooksRule): readonly ChartAccount[] {
  return CHART.filter(({ account }) => (rule === 1 ? account !== ACCOUNT.creatorShare : !OF_RULE_1.has(account)));
}
