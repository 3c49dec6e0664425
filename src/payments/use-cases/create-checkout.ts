import { Inject, Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CheckoutRequest } from '../../contract/calls/payments.js';
import { CLOSING_MESSAGES } from '../../contract/closing.js';
import { GetUser, suspendedError } from '../../identity/index.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { BundlePrices, type PricedRow } from '../bundle-prices.js';
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
import { type CheckoutRow, type PaymentTables } from '../tables.js';

/** Lifetime of an offer. The processor allows 30 minutes to 24 hours from the request. */
const OFFER_MS = 2 * 60 * 60 * 1000;

/** Age up to which an interrupted creation is repeated. Later, the remaining time is too short for the processor. */
const RETRY_CREATION_MS = 60 * 60 * 1000;

/** Maximum number of offers to try. An offer whose session has ended is replaced by the next one. */
const MAX_OFFERS = 3;

/**
 * Opens a checkout for a bundle and returns the URL to pay at. Repeating the call (double click, retry, second tab)
 * returns the same session while it is open.
 * @throws DomainError with the product's text for every refusal
 */
export class CreateCheckout extends Command<{ readonly url: string }> {
  constructor(readonly input: { readonly userId: string; readonly request: CheckoutRequest & { bundleId: string } }) {
    super();
  }
}

/** A bundle on sale, and whether this buyer may buy it. */
interface BundleForBuyer extends PricedRow {
  readonly name: string;
  readonly closing: boolean;
  readonly suspended: boolean;
  readonly suspended_until: Date | null;
}

@CommandHandler(CreateCheckout)
export class CreateCheckoutHandler implements ICommandHandler<CreateCheckout> {
  private readonly logger = new Logger(CreateCheckoutHandler.name);
  private readonly origins: readonly string[];

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PROVIDER_SETTINGS) providers: ProviderSettings,
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly rows: CheckoutRows,
    private readonly prices: BundlePrices,
    private readonly processor: PaymentProcessor,
    private readonly settler: PaymentSettler,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {
    // With a sandbox, the browser reaches the app under either loopback name.
    const local = [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];
    this.origins = [new URL(config.publicUrl).origin, ...(providers.sandboxes.stripe ? local : [])];
  }

  async execute({ input: { userId, request } }: CreateCheckout): Promise<{ readonly url: string }> {
    const row = await this.findBundle(request.bundleId, userId);
    if (row?.closing) throw new DomainError('conflict', CLOSING_MESSAGES.closing, { code: '55000' });
    if (row?.suspended) throw suspendedError(row.suspended_until);
    if (!row) throw new DomainError('unprocessable', MESSAGES.unknownBundle, { code: '22023' });
    const bundle = { id: row.id, name: row.name, credits: row.credits, priceCents: row.price_cents };
    const isAsked = request.bundleCredits === bundle.credits && request.bundlePrice === bundle.priceCents / 100;
    if (!isAsked || !(await this.prices.confirm(row))) {
      throw new DomainError('unprocessable', MESSAGES.bundleChanged, { code: '22023' });
    }
    const origin = returnOrigin(request, this.origins);
    if (origin === null) throw new DomainError('unprocessable', MESSAGES.foreignReturn, { code: '22023' });

    for (let attempt = 0; attempt < MAX_OFFERS; attempt += 1) {
      const expiresAt = new Date(this.clock.now().getTime() + OFFER_MS);
      const offer = { id: this.ids.next(), userId, bundle, returnOrigin: origin, expiresAt };
      const checkout = await this.rows.step('record-checkout', () => this.rows.insertOrFind(offer));
      const url = checkout.session_id === null ? await this.open(checkout) : await this.reopen(checkout);
      if (url !== null) return { url };
    }
    throw new DomainError('unavailable', MESSAGES.createFailed, { retryAfterSeconds: 5 });
  }

  /** Returns null when no bundle with that id is on sale. `closing`: the buyer's account is closed. */
  private async findBundle(id: string, userId: string): Promise<BundleForBuyer | null> {
    const bundle = await this.db
      .selectFrom('credit_bundle')
      .select(['id', 'name', 'credits', 'price_cents', 'on_sale', 'policy_version'])
      .select(sql<boolean>`exists (select from payment_closed_buyer where user_id = ${userId})`.as('closing'))
      .select(
        sql<boolean>`exists (select from payment_suspended_buyer where user_id = ${userId}
          and (until is null or until > ${this.clock.now()}::timestamptz))`.as('suspended'),
      )
      .select(
        sql<Date | null>`(select until from payment_suspended_buyer where user_id = ${userId})`.as('suspended_until'),
      )
      .where('id', '=', id)
      .where('on_sale', '=', true)
      .executeTakeFirst();
    return bundle ?? null;
  }

  /** Creates the session of an offer and returns its URL. Returns null when the offer is too old. */
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
    const session = await this.callProcessor(checkout, () =>
      this.rows.step('create-session', () => this.processor.createSession(order)),
    );
    const stored = await this.rows.step('store-session', () => this.rows.storeSession(checkout.id, session));
    return stored.url;
  }

  /** Returns the URL of the offer's open session. If the session has ended, stores that and returns null. */
  private async reopen(checkout: CheckoutRow): Promise<string | null> {
    const sessionId = checkout.session_id ?? '';
    const session = await this.callProcessor(checkout, () => this.processor.session(sessionId));
    if (session.status === 'open' && session.url !== null) return session.url;
    await this.settler.credit(session);
    return null;
  }

  private async callProcessor(checkout: CheckoutRow, ask: () => Promise<ProcessorSession>): Promise<ProcessorSession> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ProcessorRefusedError) {
        this.logger.error('The payment processor refused a checkout.', { checkoutId: checkout.id, error });
        // The next click makes a new offer. If a session exists nevertheless, the reconciliation finds it by its
        // metadata.
        await this.rows.storeUnpaid(checkout.id, 'expired');
        throw new DomainError('upstreamFailed', MESSAGES.createFailed, { code: 'P0502', cause: error });
      }
      if (error instanceof ProcessorUnavailableError) {
        throw new DomainError('unavailable', MESSAGES.createFailed, { retryAfterSeconds: 5, cause: error });
      }
      throw error;
    }
  }
}
