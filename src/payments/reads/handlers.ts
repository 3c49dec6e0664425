// Each export is a provider of the module: export nothing else here.
export { FindOtherShopsHandler } from './find-other-shops.js';
export { FindPaidSessionsHandler } from './find-paid-sessions.js';
export { FindPaymentStatesHandler, FindSessionAtProcessorHandler } from './find-payment-states.js';
export { GetRefundableHandler } from './get-refundable.js';
export { ListBundlesHandler } from './list-bundles.js';
export { ListPaymentProblemsHandler } from './list-payment-problems.js';
export { ListPurchasesHandler } from './list-purchases.js';
export { ListStuckCheckoutsHandler } from './list-stuck-checkouts.js';
export { ListUnclosedBuyersHandler } from './list-unclosed-buyers.js';
export { PreviewRefundHandler } from './preview-refund.js';
export { ReadBalanceHandler, ReadTransactionsHandler } from './read-transactions.js';
