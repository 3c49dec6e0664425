// Each export is a provider of the module: export nothing else here.
export { CanAffordHandler } from './can-afford.js';
export { CountTransactionsHandler } from './count-transactions.js';
export { GetAccountForAdminsHandler } from './get-account-for-admins.js';
export { GetCreditBreakdownHandler } from './get-credit-breakdown.js';
export { GetDeductionStatusHandler } from './get-deduction-status.js';
export { GetPurchaseHandler } from './get-purchase.js';
export { GetTransactionsHandler } from './get-transactions.js';
export { GetUnspentPurchasesHandler } from './get-unspent-purchases.js';
export { ListAccountHistoryHandler } from './list-account-history.js';
export { ListHoldersOfPaidCreditsHandler } from './list-holders-of-paid-credits.js';
export { ListProposalsHandler } from './list-proposals.js';
export { ListUnerasedProposalsHandler } from './list-unerased-proposals.js';
