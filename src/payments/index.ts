/** The command line sets prices. */
export { BundlePrices } from './bundle-prices.js';
/** Commands and queries for closing an account. */
export { GetRefundable } from './reads/get-refundable.js';
export { ListUnclosedBuyers } from './reads/list-unclosed-buyers.js';
export { CloseBuyer } from './use-cases/close-buyer.js';
export { EndCheckouts } from './use-cases/end-checkouts.js';
export { ForgetBuyer } from './use-cases/forget-buyer.js';
export { RefundUnspent } from './use-cases/refund-unspent.js';
/** The command line compares the ledger with the processor through these. */
export { ProcessorUnavailableError } from './providers/payment-processor.js';
export { StripePaymentProcessor } from './providers/stripe-payment-processor.js';
export { reconcileLedger, type LedgerDifference, type ReconcileSummary } from './workers/reconcile-ledger.js';
export { createStripe } from './providers/stripe.js';
/** Finance reads the processor's balance and finds the payments of its transactions. */
export { ReadTransactions, ReadBalance } from './reads/read-transactions.js';
export { FindOtherShops } from './reads/find-other-shops.js';
export { FindPaidSessions } from './reads/find-paid-sessions.js';
export { FindPaymentStates, FindSessionAtProcessor, type PaymentState } from './reads/find-payment-states.js';
export { type ProcessorTransaction, type ProcessorTransactions } from './providers/payment-processor.js';
export { ProcessorNotFoundError } from './providers/payment-processor.js';
/** The demo's past buys as fans do, and settles reversals as the worker does after a webhook. */
export { ListBundles } from './reads/list-bundles.js';
export { ListPurchases } from './reads/list-purchases.js';
export { CreateCheckout } from './use-cases/create-checkout.js';
export { LookUpCheckout } from './use-cases/look-up-checkout.js';
export { RefundPurchase } from './use-cases/refund-purchase.js';
export { PaymentBusyError, PaymentSettler } from './use-cases/settle-payment.js';
export { SuspendBuyer } from './use-cases/suspend-buyer.js';
/** For admins. */
export { isStuck } from './stuck-checkouts.js';
export { ListStuckCheckouts } from './reads/list-stuck-checkouts.js';
export { PreviewRefund } from './reads/preview-refund.js';
export { RetryCheckout } from './use-cases/retry-checkout.js';
