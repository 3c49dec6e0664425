/** The command line sets prices. */
export { BundlePrices } from './bundle-prices.js';
/** The command line compares the ledger with the processor through these. */
export { PaymentProcessor, ProcessorUnavailableError } from './providers/payment-processor.js';
export { reconcileLedger, type LedgerDifference, type ReconcileSummary } from './workers/reconcile-ledger.js';
export { createStripe } from './providers/stripe.js';
