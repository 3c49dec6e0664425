import { Module } from '@nestjs/common';
import { AdminRefunds } from './admin-refunds.js';
import { Bundles } from './bundles.js';
import { CheckoutRows } from './checkout-rows.js';
import { CreateCheckoutHandler } from './create-checkout.js';
import { LookUpCheckoutHandler } from './look-up-checkout.js';
import { PaymentInbox } from './payment-inbox.js';
import { PaymentMetrics } from './payment-metrics.js';
import { PaymentProblems } from './payment-problems.js';
import { PaymentProcessor } from './payment-processor.js';
import { PaymentWorker } from './payment-worker.js';
import { PaymentsController } from './payments.controller.js';
import { Purchases } from './purchases.js';
import { PaymentReconciler } from './reconcile-payments.js';
import { RefundPurchaseHandler } from './refund-purchase.js';
import { ReversalRows } from './reversal-rows.js';
import { PaymentSettler } from './settle-payment.js';
import { stripeProvider } from './stripe-client.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';

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
