import { Module, type OnModuleInit } from '@nestjs/common';
import { BundlePrices } from './bundle-prices.js';
import { AdminRefunds } from './use-cases/admin-refunds.js';
import { CheckoutRows } from './checkout-rows.js';
import { CreateCheckoutHandler } from './use-cases/create-checkout.js';
import { ListBundlesHandler } from './reads/list-bundles.js';
import { ListPaymentProblemsHandler } from './reads/list-payment-problems.js';
import { FindOtherShopsHandler } from './reads/find-other-shops.js';
import { FindPaidSessionsHandler } from './reads/find-paid-sessions.js';
import { FindPaymentStatesHandler, FindSessionAtProcessorHandler } from './reads/find-payment-states.js';
import { ReadBalanceHandler, ReadTransactionsHandler } from './reads/read-transactions.js';
import { GetRefundableHandler } from './reads/get-refundable.js';
import { ListUnclosedBuyersHandler } from './reads/list-unclosed-buyers.js';
import { CloseBuyerHandler } from './use-cases/close-buyer.js';
import { SuspendBuyerHandler } from './use-cases/suspend-buyer.js';
import { DismissProblemHandler } from './use-cases/dismiss-problem.js';
import { EndCheckoutsHandler } from './use-cases/end-checkouts.js';
import { ForgetBuyerHandler } from './use-cases/forget-buyer.js';
import { RefundUnspentHandler } from './use-cases/refund-unspent.js';
import { ListPurchasesHandler } from './reads/list-purchases.js';
import { ListStuckCheckoutsHandler } from './reads/list-stuck-checkouts.js';
import { PreviewRefundHandler } from './reads/preview-refund.js';
import { RetryCheckoutHandler } from './use-cases/retry-checkout.js';
import { LookUpCheckoutHandler } from './use-cases/look-up-checkout.js';
import { PaymentInbox } from './workers/payment-inbox.js';
import { PaymentMetrics } from './workers/payment-metrics.js';
import { PaymentOwners } from './payment-owners.js';
import { PaymentProblems } from './payment-problems.js';
import { PaymentProcessor } from './providers/payment-processor.js';
import { StripePaymentProcessor } from './providers/stripe-payment-processor.js';
import { PaymentWorker } from './workers/payment-worker.js';
import { PaymentsController } from './http/payments.controller.js';
import { PaymentReconciler } from './workers/reconcile-payments.js';
import { RefundPurchaseHandler } from './use-cases/refund-purchase.js';
import { ReversalRows } from './reversal-rows.js';
import { PaymentSettler } from './use-cases/settle-payment.js';
import { UnreadablePayments } from './unreadable-payments.js';
import { stripeProvider } from './providers/stripe-client.js';
import { StripeWebhookController } from './http/stripe-webhook.controller.js';

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
    ListBundlesHandler,
    ListPaymentProblemsHandler,
    ListPurchasesHandler,
    CreateCheckoutHandler,
    LookUpCheckoutHandler,
    RefundPurchaseHandler,
    CloseBuyerHandler,
    SuspendBuyerHandler,
    EndCheckoutsHandler,
    ForgetBuyerHandler,
    RefundUnspentHandler,
    GetRefundableHandler,
    ListUnclosedBuyersHandler,
    ListStuckCheckoutsHandler,
    PreviewRefundHandler,
    RetryCheckoutHandler,
    DismissProblemHandler,
    ReadTransactionsHandler,
    ReadBalanceHandler,
    FindPaidSessionsHandler,
    FindOtherShopsHandler,
    FindPaymentStatesHandler,
    FindSessionAtProcessorHandler,
  ],
})
export class PaymentsModule implements OnModuleInit {
  constructor(private readonly prices: BundlePrices) {}

  async onModuleInit(): Promise<void> {
    await this.prices.adopt();
  }
}
