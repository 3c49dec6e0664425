/**
 * The chart of accounts: the numbers under which the books are kept. docs/books.md explains each account. A number is
 * never used again for something else.
 */
export const ACCOUNT = {
  receipts: 1010,
  unmatchedCash: 1015,
  refundsPaid: 1020,
  disputesTaken: 1030,
  feesWithheld: 1040,
  transfersToBank: 1050,
  otherShopsCash: 1060,
  bank: 1100,
  creatorDebt: 1200,
  customerCredits: 2000,
  promotionalCredits: 2050,
  creatorShare: 2100,
  creatorPending: 2110,
  creatorPayable: 2120,
  payoutsUnderWay: 2130,
  payoutsPaid: 2140,
  unmatchedReceipts: 2300,
  otherShops: 2310,
  platformRevenue: 4000,
  forfeitedCredits: 4100,
  priceRemainders: 4200,
  refundLosses: 5100,
  chargebackLosses: 5200,
  processorFees: 5300,
} as const;

/** The number of an account. */
export type AccountNumber = (typeof ACCOUNT)[keyof typeof ACCOUNT];

/** Assets and expenses have debit balances, the others credit balances. */
export type AccountKind = 'asset' | 'liability' | 'income' | 'expense' | 'memorandum';

/**
 * The events that post to an account. `ledger`: events of accounts. `time`: none; it is a part of another account that
 * follows from the time. `processor`: events of the stream `processor`; the balance is unknown before the first one.
 * `payouts`: events of payouts; the balance is zero before the first one. `bank`: both.
 */
export type AccountSource = 'ledger' | 'time' | 'processor' | 'payouts' | 'bank';

/**
 * The rule of the books at an instant: 1 up to the end of the last month that version 1 of `MonthClosed` has closed,
 * then 2 (docs/books.md).
 */
export type BooksRule = 1 | 2;

/** An account of the chart. */
export interface ChartAccount {
  readonly account: AccountNumber;
  readonly name: string;
  readonly kind: AccountKind;
  readonly source: AccountSource;
}

const account = (
  number: AccountNumber,
  name: string,
  kind: AccountKind,
  source: AccountSource = 'ledger',
): ChartAccount => ({ account: number, name, kind, source });

/** Every account, in the order of the numbers. */
export const CHART: readonly ChartAccount[] = [
  account(ACCOUNT.receipts, 'Processor cash: payments received', 'asset'),
  account(ACCOUNT.unmatchedCash, 'Processor cash: not in the ledger', 'asset', 'processor'),
  account(ACCOUNT.refundsPaid, 'Processor cash: refunds paid', 'asset'),
  account(ACCOUNT.disputesTaken, 'Processor cash: chargebacks', 'asset'),
  account(ACCOUNT.feesWithheld, 'Processor cash: fees withheld', 'asset', 'processor'),
  account(ACCOUNT.transfersToBank, 'Processor cash: transfers to the bank', 'asset', 'processor'),
  account(ACCOUNT.otherShopsCash, 'Processor cash: other shops', 'asset', 'processor'),
  account(ACCOUNT.bank, 'Bank', 'asset', 'bank'),
  account(ACCOUNT.creatorDebt, 'Creator debt', 'asset', 'time'),
  account(ACCOUNT.customerCredits, 'Customer credits (deferred revenue)', 'liability'),
  account(ACCOUNT.promotionalCredits, 'Promotional credits', 'memorandum'),
  account(ACCOUNT.creatorShare, 'Creator share', 'liability'),
  account(ACCOUNT.creatorPending, 'Creator share: pending', 'liability', 'time'),
  account(ACCOUNT.creatorPayable, 'Creator share: payable', 'liability', 'time'),
  account(ACCOUNT.payoutsUnderWay, 'Creator share: payouts under way', 'liability', 'payouts'),
  account(ACCOUNT.payoutsPaid, 'Creator share: paid', 'liability', 'payouts'),
  account(ACCOUNT.unmatchedReceipts, 'Unmatched receipts', 'liability', 'processor'),
  account(ACCOUNT.otherShops, 'Other shops', 'liability', 'processor'),
  account(ACCOUNT.platformRevenue, 'Platform revenue', 'income'),
  account(ACCOUNT.forfeitedCredits, 'Forfeited credits', 'income'),
  account(ACCOUNT.priceRemainders, 'Remainders of prices', 'income'),
  account(ACCOUNT.refundLosses, 'Losses from refunds', 'expense'),
  account(ACCOUNT.chargebackLosses, 'Losses from chargebacks', 'expense'),
  account(ACCOUNT.processorFees, 'Processor fees', 'expense', 'processor'),
];

/** Rule 1 divides the creators' share among these accounts. */
const OF_RULE_1: ReadonlySet<number> = new Set([
  ...[ACCOUNT.creatorDebt, ACCOUNT.creatorPending, ACCOUNT.creatorPayable, ACCOUNT.payoutsPaid],
]);

/** The accounts of a trial balance. */
export function chartOf(rule: BooksRule): readonly ChartAccount[] {
  return CHART.filter(({ account }) => (rule === 1 ? account !== ACCOUNT.creatorShare : !OF_RULE_1.has(account)));
}
