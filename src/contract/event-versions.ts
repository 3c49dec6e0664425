/**
 * Newest version of every event, by kind of stream. New events have this version; older ones are upcast to it on
 * reading. This is the only table of event types and versions: the rules and the audit read it, the build writes it
 * into the public verifier, and docs/events.md is compared with it.
 */
export const EVENT_VERSIONS = {
  creditAccount: {
    CreditsGranted: 1,
    CreditsPurchased: 1,
    CreditsDeducted: 2,
    DeductionSettled: 3,
    CreditsRefunded: 1,
    DeductionVoided: 1,
    CreditsExpired: 1,
    PurchaseReversed: 1,
    PurchaseReinstated: 1,
    DebtRepaid: 1,
    CreditsAdjusted: 1,
    ClockRepaired: 1,
    CreditsWaived: 1,
  },
  creditPolicy: {
    RevenueRuleAdopted: 1,
    DailyGrantAmountSet: 1,
    AdminGrantLimitSet: 1,
    BundlePriced: 1,
    HistoryImported: 1,
  },
  creatorPayout: {
    PayoutDrafted: 1,
    PayoutFixed: 1,
    PayoutChecked: 1,
    PayoutPaid: 1,
    PayoutFailed: 1,
    PayoutCancelled: 1,
    PayoutsHeld: 1,
  },
  creatorEarnings: { EarningPosted: 1 },
  processor: {
    BalanceTransactionRecorded: 1,
    TransactionMatched: 1,
    TransactionDisowned: 1,
    MonthClosed: 2,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;
