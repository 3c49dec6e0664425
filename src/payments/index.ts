/** What the composition may use of payments: the audit of the ledger and its comparison with the processor. */
export { purchasesOf } from './ledger-purchases.js';
export { PaymentProcessor, ProcessorUnavailableError } from './payment-processor.js';
export { reconcileLedger, type LedgerDifference, type ReconcileSummary } from './reconcile-ledger.js';
export { createStripe } from './stripe.js';
