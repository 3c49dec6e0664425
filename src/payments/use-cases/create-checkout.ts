import { Inject, Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GetUser } from '../../identity/index.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { Bundles } from '../reads/bundles.js';
import { CheckoutRows } from '../checkout-rows.js';
import { MESSAGES } from '../messages.js';
import {
  PaymentProcessor,
  type ProcessorSession,
  ProcessorRefusedError,
  ProcessorUnavailableError,
} from '../providers/payment-processor.js';
import { PaymentSettler } from './settle-payment.js';
import { returnOrigin, returnUrls } from '../return-urls.js';
import { type CheckoutRow } from '../tables.js';
import { type CheckoutRequest } from '../../contract/payments.js';

/** How long an offer can be paid. The processor allows 30 minutes to 24 hours from the moment at which it is asked. */
const OFFER_MS = 2 * 60 * 60 * 1000;

/** An offer whose creation was interrupted is asked for again up to this age; later the processor would find it too short. */
const RETRY_CREATION_MS = 60 * 60 * 1000;

/** How many sessions that had ended meanwhile are replaced before giving up. */
const ATTEMPTS = 3;

/**
 * Opens a checkout for a bundle and says where to pay. The same offer asked for again (double click, retry, second tab) is the
 * same session for as long as that is open.
 * @throws ApiError with the product's text for every refusal
 */
export class CreateCheckout extends Command<{ readonly url: string }> {
  constructor(
    readonly userId: string,
    readonly request: CheckoutRequest,
  ) {
    super();
  }
}

@CommandHandler(CreateCheckout)
export class CreateCheckoutHandler implements ICommandHandler<CreateCheckout> {
  private readonly logger = new Logger(CreateCheckoutHandler.name);
  private readonly origins: readonly string[];

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PROVIDER_SETTINGS) providers: ProviderSettings,
    private readonly bundles: Bundles,
    private readonly rows: CheckoutRows,
    private readonly processor: PaymentProcessor,
    private readonly settler: PaymentSettler,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {
    // Beside a sandbox the app is on this machine, under either of its names.
    const local = [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];
    this.origins = [new URL(config.publicUrl).origin, ...(providers.sandboxes.stripe ? local : [])];
  }

  async execute({ userId, request }: CreateCheckout): Promise<{ readonly url: string }> {
    const bundle = await this.bundles.find(request.bundleId);
    if (!bundle) throw new ApiError(422, MESSAGES.unknownBundle, { code: '22023' });
    if (request.bundleCredits !== bundle.credits || request.bundlePrice !== bundle.priceCents / 100) {
      throw new ApiError(422, MESSAGES.bundleChanged, { code: '22023' });
    }
    const origin = returnOrigin(request, this.origins);
    if (origin === null) throw new ApiError(422, MESSAGES.foreignReturn, { code: '22023' });

    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const expiresAt = new Date(this.clock.now().getTime() + OFFER_MS);
      const offer = { id: this.ids.next(), userId, bundle, returnOrigin: origin, expiresAt };
      const checkout = await this.rows.step('record-checkout', () => this.rows.insertOrFind(offer));
      const url = checkout.session_id === null ? await this.open(checkout) : await this.reopen(checkout);
      if (url !== null) return { url };
    }
    throw new ApiError(503, MESSAGES.createFailed, { retryAfterSeconds: 5 });
  }

  /** Null when this offer is no longer to be had. */
  private async open(checkout: CheckoutRow): Promise<string | null> {
    if (this.clock.now().getTime() - checkout.created_at.getTime() > RETRY_CREATION_MS) {
      await this.rows.storeUnpaid(checkout.id, 'expired');
      return null;
    }
    const user = await this.queries.execute(new GetUser({ userId: checkout.user_id }));
    const order = {
      checkoutId: checkout.id,
      userId: checkout.user_id,
      email: user?.email ?? null,
      bundleId: checkout.bundle_id,
      bundleName: checkout.bundle_name,
      credits: checkout.credits,
      amountCents: checkout.amount_cents,
      currency: checkout.currency,
      ...returnUrls(checkout.return_origin),
      expiresAt: checkout.expires_at,
    };
    const session = await this.asking(checkout, () =>
      this.rows.step('create-session', () => this.processor.createSession(order)),
    );
    const stored = await this.rows.step('store-session', () => this.rows.storeSession(checkout.id, session));
    return stored.url;
  }

  /** The open session of this offer; null when it has ended, which is written down. */
  private async reopen(checkout: CheckoutRow): Promise<string | null> {
    const sessionId = checkout.session_id ?? '';
    const session = await this.asking(checkout, () => this.processor.session(sessionId));
    if (session.status === 'open' && session.url !== null) return session.url;
    await this.settler.credit(session);
    return null;
  }

  private async asking(checkout: CheckoutRow, ask: () => Promise<ProcessorSession>): Promise<ProcessorSession> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ProcessorRefusedError) {
        this.logger.error('The payment processor refused a checkout.', { checkoutId: checkout.id, error });
        // The next click starts anew. Should a session exist all the same, reconciliation finds it by its metadata.
        await this.rows.storeUnpaid(checkout.id, 'expired');
        throw new ApiError(502, MESSAGES.createFailed, { code: 'P0502', cause: error });
      }
      if (error instanceof ProcessorUnavailableError) {
        throw new ApiError(503, MESSAGES.createFailed, { retryAfterSeconds: 5, cause: error });
      }
      throw error;
    }
  }
}
