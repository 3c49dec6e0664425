import { Module } from '@nestjs/common';
import { AdminRefunds } from './use-cases/admin-refunds.js';
import { Bundles } from './reads/bundles.js';
import { CheckoutRows } from './checkout-rows.js';
import { CreateCheckoutHandler } from './use-cases/create-checkout.js';
import { LookUpCheckoutHandler } from './reads/look-up-checkout.js';
import { PaymentInbox } from './workers/payment-inbox.js';
import { PaymentMetrics } from './workers/payment-metrics.js';
import { PaymentProblems } from './reads/payment-problems.js';
import { PaymentProcessor } from './providers/payment-processor.js';
import { PaymentWorker } from './workers/payment-worker.js';
import { PaymentsController } from './http/payments.controller.js';
import { Purchases } from './reads/purchases.js';
import { PaymentReconciler } from './workers/reconcile-payments.js';
import { RefundPurchaseHandler } from './use-cases/refund-purchase.js';
import { ReversalRows } from './reversal-rows.js';
import { PaymentSettler } from './use-cases/settle-payment.js';
import { stripeProvider } from './providers/stripe-client.js';
import { StripeWebhookController } from './http/stripe-webhook.controller.js';

/** Buying credits, and what becomes of the money. */
@Module({
  controllers: [PaymentsController, StripeWebhookController],
  providers: [
    stripeProvider,
    PaymentProcessor,
    Bundles,
    CheckoutRows,
    ReversalRows,
    PaymentInbox,
    PaymentProblems,
    PaymentMetrics,
    PaymentSettler,
    AdminRefunds,
    PaymentWorker,
    PaymentReconciler,
    Purchases,
    CreateCheckoutHandler,
    LookUpCheckoutHandler,
    RefundPurchaseHandler,
  ],
})
export class PaymentsModule {}
