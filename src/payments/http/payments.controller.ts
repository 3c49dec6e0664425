import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { type Principal } from '../../platform/http/principal.js';
import { CurrentUser, Fn, Rpc } from '../../platform/http/routes.js';
import { Bundles } from '../reads/bundles.js';
import { CreateCheckout } from '../use-cases/create-checkout.js';
import { LookUpCheckout } from '../reads/look-up-checkout.js';
import { MESSAGES } from '../messages.js';
import { PaymentProblems } from '../reads/payment-problems.js';
import { Purchases } from '../reads/purchases.js';
import { RefundPurchase } from '../use-cases/refund-purchase.js';
import { CreateCheckoutRequest, LookUpCheckoutRequest, RefundPurchaseRequest } from './requests.js';
import {
  type CheckoutLookup,
  type CheckoutResponse,
  type CreditBundle,
  type PaymentProblem,
  type Purchase,
  type RefundPurchaseResponse,
} from '../../contract/payments.js';

/** Buying credits on the wire (fan spec, sections 2, 7 and 8), and what admins do about it. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly bundles: Bundles,
    private readonly purchases: Purchases,
    private readonly problems: PaymentProblems,
  ) {}

  @Rpc('get_credit_bundles', { access: 'public', limit: RATE_LIMITS.publicData })
  async onSale(): Promise<CreditBundle[]> {
    return this.bundles.onSale();
  }

  @Fn('create-checkout-session', {
    access: 'user',
    limit: RATE_LIMITS.checkout,
    authenticationMessage: MESSAGES.signInToPurchase,
  })
  async create(
    @CurrentUser() { userId }: Principal,
    @Body() request: CreateCheckoutRequest,
  ): Promise<CheckoutResponse> {
    const { bundleId, bundleCredits, bundlePrice, successUrl, cancelUrl } = request;
    if (!bundleId || bundleCredits == null || bundlePrice == null) {
      throw new ApiError(400, MESSAGES.bundleIncomplete);
    }
    const checked = { bundleId, bundleCredits, bundlePrice, successUrl, cancelUrl };
    return this.commands.execute(new CreateCheckout(userId, checked));
  }

  @Fn('get-checkout-session', {
    access: 'user',
    limit: RATE_LIMITS.standardApi,
    authenticationMessage: MESSAGES.authenticationRequired,
  })
  async lookUp(@CurrentUser() { userId }: Principal, @Body() request: LookUpCheckoutRequest): Promise<CheckoutLookup> {
    if (!request.sessionId) throw new ApiError(400, MESSAGES.sessionIdRequired);
    return { session: await this.queries.execute(new LookUpCheckout(userId, request.sessionId)) };
  }

  @Rpc('get_user_purchases_by_jwt', {
    access: 'user',
    limit: RATE_LIMITS.dataFetch,
    authenticationMessage: MESSAGES.authenticationRequired,
  })
  async receipts(@CurrentUser() { userId }: Principal, @Body() page: PageRequest): Promise<Purchase[]> {
    return this.purchases.ofUser(userId, page.p_limit ?? PAGE_SIZES.purchases, page.p_offset ?? 0);
  }

  @Rpc('get_payment_problems', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async openProblems(): Promise<PaymentProblem[]> {
    return this.problems.list();
  }

  @Rpc('refund_purchase', { access: 'admin', freshRoles: true, limit: RATE_LIMITS.financialOps })
  async refund(
    @CurrentUser() { userId }: Principal,
    @Body() request: RefundPurchaseRequest,
  ): Promise<RefundPurchaseResponse> {
    const { p_session_id: sessionId, p_credits: credits, p_reason: reason, p_request_id: requestId } = request;
    if (reason.trim() === '') throw new ApiError(400, MESSAGES.reasonRequired);
    const refund = await this.commands.execute(
      new RefundPurchase(userId, sessionId, credits ?? null, reason.trim(), requestId ?? null),
    );
    return {
      success: true,
      admin_refund_id: refund.id,
      status: refund.status === 'refunded' ? 'refunded' : 'pending',
      credits: refund.credits,
      amount_cents: refund.amount_cents,
    };
  }
}
