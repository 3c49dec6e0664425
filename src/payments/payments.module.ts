import { Module, type OnModuleInit } from '@nestjs/common';
import { BundlePrices } from './bundle-prices.js';
import { AdminRefunds } from './use-cases/admin-refunds.js';
import { CheckoutRows } from './checkout-rows.js';
import { PaymentInbox } from './workers/payment-inbox.js';
import { PaymentMetrics } from './workers/payment-metrics.js';
import { PaymentOwners } from './payment-owners.js';
import { PaymentProblems } from './payment-problems.js';
import { PaymentProcessor } from './providers/payment-processor.js';
import { StripePaymentProcessor } from './providers/stripe-payment-processor.js';
import { PaymentWorker } from './workers/payment-worker.js';
import { PaymentsController } from './http/payments.controller.js';
import { PaymentReconciler } from './workers/reconcile-payments.js';
import { ReversalRows } from './reversal-rows.js';
import { PaymentSettler } from './use-cases/settle-payment.js';
import { UnreadablePayments } from './unreadable-payments.js';
import { stripeProvider } from './providers/stripe-client.js';
import { StripeWebhookController } from './http/stripe-webhook.controller.js';
import * as useCases from './use-cases/handlers.js';
import * as reads from './reads/handlers.js';

/** Sells credits, and follows refunds and disputes of the payments. */
@Module({
  controllers: [PaymentsController, StripeWebhookController],
  providers: [
    stripeProvider,
    { provide: PaymentProcessor, useClass: StripePaymentProcessor },
    BundlePrices,
    CheckoutRows,
    ReversalRows,
    PaymentInbox,
    PaymentProblems,
    PaymentOwners,
    UnreadablePayments,
    PaymentMetrics,
    PaymentSettler,
    AdminRefunds,
    PaymentWorker,
    PaymentReconciler,
    ...Object.values(useCases),
    ...Object.values(reads),
  ],
})
export class PaymentsModule implements OnModuleInit {
  constructor(private readonly prices: BundlePrices) {}

  async onModuleInit(): Promise<void> {
    await this.prices.adopt();
  }
}
