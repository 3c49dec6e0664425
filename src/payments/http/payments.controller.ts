import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { PageRequest } from '../../contract/calls/shared.js';
import {
  CheckoutLookupRequest,
  CheckoutRequest,
  DismissProblemRequest,
  RefundPurchaseRequest,
} from '../../contract/calls/payments.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Success } from '../../contract/scalars.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/principal.js';
import { ADMIN_MONEY, CurrentUser, Fn, Rpc } from '../../platform/http/routes.js';
import { CreateCheckout } from '../use-cases/create-checkout.js';
import { DismissProblem } from '../use-cases/dismiss-problem.js';
import { LookUpCheckout } from '../use-cases/look-up-checkout.js';
import { MESSAGES } from '../messages.js';
import { ListBundles } from '../reads/list-bundles.js';
import { ListPaymentProblems } from '../reads/list-payment-problems.js';
import { ListPurchases } from '../reads/list-purchases.js';
import { RefundPurchase } from '../use-cases/refund-purchase.js';
import {
  type CheckoutLookup,
  type CheckoutResponse,
  type CreditBundle,
  type PaymentProblem,
  type Purchase,
  type RefundPurchaseResponse,
} from '../../contract/payments.js';

/** The payment calls of fans (fan spec, sections 2, 7 and 8) and of admins. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_credit_bundles', { access: 'public', limit: RATE_LIMITS.publicData })
  async onSale(): Promise<CreditBundle[]> {
    return this.queries.execute(new ListBundles());
  }

  @Fn('create-checkout-session', {
    access: 'user',
    limit: RATE_LIMITS.checkout,
    authenticationMessage: MESSAGES.signInToPurchase,
  })
  async create(@CurrentUser() { userId }: Principal, @Body() request: CheckoutRequest): Promise<CheckoutResponse> {
    const { bundleId, bundleCredits, bundlePrice, successUrl, cancelUrl } = request;
    if (!bundleId || bundleCredits == null || bundlePrice == null) {
      throw new ApiError(400, MESSAGES.bundleIncomplete);
    }
    const checked = { bundleId, bundleCredits, bundlePrice, successUrl, cancelUrl };
    return this.commands.execute(new CreateCheckout({ userId, request: checked }));
  }

  @Fn('get-checkout-session', {
    access: 'user',
    limit: RATE_LIMITS.standardApi,
    authenticationMessage: MESSAGES.authenticationRequired,
  })
  async lookUp(@CurrentUser() { userId }: Principal, @Body() request: CheckoutLookupRequest): Promise<CheckoutLookup> {
    if (!request.sessionId) throw new ApiError(400, MESSAGES.sessionIdRequired);
    return { session: await this.commands.execute(new LookUpCheckout({ userId, sessionId: request.sessionId })) };
  }

  @Rpc('get_user_purchases_by_jwt', {
    access: 'user',
    limit: RATE_LIMITS.creditData,
    authenticationMessage: MESSAGES.authenticationRequired,
  })
  async receipts(@CurrentUser() { userId }: Principal, @Body() page: PageRequest): Promise<Purchase[]> {
    const { p_limit: limit = PAGE_SIZES.purchases, p_offset: offset = 0 } = page;
    return this.queries.execute(new ListPurchases({ userId, limit, offset }));
  }

  @Rpc('get_payment_problems', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async openProblems(): Promise<PaymentProblem[]> {
    return this.queries.execute(new ListPaymentProblems());
  }

  @Rpc('dismiss_payment_problem', { access: 'admin', freshRoles: true, limit: RATE_LIMITS.financialOps })
  async dismiss(
    @Acting() admin: Actor,
    @Body() { p_subject: subject, p_kind: kind, p_reason }: DismissProblemRequest,
  ): Promise<Success> {
    await this.commands.execute(new DismissProblem({ subject, kind, reason: p_reason.trim(), admin }));
    return { success: true };
  }

  @Rpc('refund_purchase', ADMIN_MONEY)
  async refund(@Acting() admin: Actor, @Body() request: RefundPurchaseRequest): Promise<RefundPurchaseResponse> {
    const { p_session_id: sessionId, p_credits: credits = null, p_request_id: requestId = null } = request;
    const reason = request.p_reason.trim();
    if (reason === '') throw new ApiError(400, MESSAGES.reasonRequired);
    const refund = await this.commands.execute(new RefundPurchase({ admin, sessionId, credits, reason, requestId }));
    return {
      success: true,
      admin_refund_id: refund.id,
      status: refund.status === 'refunded' ? 'refunded' : 'pending',
      credits: refund.credits,
      amount_cents: refund.amount_cents,
    };
  }
}
