/** What the composition may use of payments: the audit of the ledger and its comparison with the processor. */
export { PaymentProcessor, ProcessorUnavailableError } from './providers/payment-processor.js';
export { reconcileLedger, type LedgerDifference, type ReconcileSummary } from './workers/reconcile-ledger.js';
export { createStripe } from './providers/stripe.js';
