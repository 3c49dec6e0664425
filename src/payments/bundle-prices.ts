import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Kysely, type Selectable } from 'kysely';
import { currentPrice, type NewBundlePrice, type Policy, PolicyStore, priceBundles } from '../credits/index.js';
import { DATABASE } from '../platform/database/database.js';
import { DomainError } from '../platform/domain-error.js';
import { type CreditBundleTable, type PaymentTables } from './tables.js';

/** The lowest price that the processor accepts, in US cents. */
const LOWEST_PRICE_CENTS = 50;

/** The part of a bundle's row that the policy states. */
export type PricedRow = Pick<
  Selectable<CreditBundleTable>,
  'id' | 'credits' | 'price_cents' | 'on_sale' | 'policy_version'
>;

/**
 * Prices of bundles. The stream `policy` states them and `credit_bundle` shows them: a row with another price is not
 * sold.
 */
@Injectable()
export class BundlePrices {
  private readonly logger = new Logger(BundlePrices.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<PaymentTables>,
    private readonly policy: PolicyStore,
  ) {}

  /** Prices the bundles of a store without prices as their rows state, then makes all rows agree with the policy. */
  async adopt(): Promise<void> {
    const rows = await this.rows();
    const policy = await this.policy.change('system', (known, moment) =>
      known.bundlePrices.length > 0 ? [] : priceBundles(known, moment, rows.map(priceOf)),
    );
    await this.show(policy);
  }

  /**
   * Sets the price of a bundle, its credits, and whether it is on sale.
   * @param actorId who sets it
   * @throws DomainError for an unknown bundle and for a price below 50 cents
   */
  async set(actorId: string, price: NewBundlePrice): Promise<void> {
    if (!(price.priceCents >= LOWEST_PRICE_CENTS)) {
      throw new DomainError('unprocessable', `A bundle must cost ${LOWEST_PRICE_CENTS} cents or more.`);
    }
    await this.adopt();
    const rows = await this.rows();
    if (!rows.some(({ id }) => id === price.bundleId)) {
      throw new DomainError('notFound', `There is no bundle ${price.bundleId} in credit_bundle.`);
    }
    await this.show(await this.policy.change(actorId, (policy, moment) => priceBundles(policy, moment, [price])));
  }

  /** True when the policy states what the row says. Otherwise the row is corrected. */
  async confirm(row: PricedRow): Promise<boolean> {
    if (shows(row, await this.policy.get())) return true;
    const policy = await this.policy.refresh();
    if (shows(row, policy)) return true;
    await this.show(policy);
    return false;
  }

  /** All bundles with their prices. */
  async rows(): Promise<PricedRow[]> {
    const columns = ['id', 'credits', 'price_cents', 'on_sale', 'policy_version'] as const;
    return this.db.selectFrom('credit_bundle').select(columns).orderBy('id').execute();
  }

  /** Copies the prices of the policy to the rows, unless a row shows a newer one. */
  private async show(policy: Policy): Promise<void> {
    for (const row of await this.rows()) {
      const price = currentPrice(policy, row.id);
      if (!price || shows(row, policy) || (row.policy_version ?? -1) > price.version) continue;
      if (row.policy_version === price.version) {
        const message = 'The row of a bundle was changed without an event; it shows the price of the policy again.';
        this.logger.error({ message, bundle: row.id, credits: row.credits, priceCents: row.price_cents });
      }
      const { credits, priceCents, onSale, version } = price;
      await this.db
        .updateTable('credit_bundle')
        .set({ credits, price_cents: priceCents, on_sale: onSale, policy_version: version })
        .where('id', '=', row.id)
        .where((where) => where.or([where('policy_version', 'is', null), where('policy_version', '<=', version)]))
        .execute();
    }
  }
}

function priceOf({ id, credits, price_cents: priceCents, on_sale: onSale }: PricedRow): NewBundlePrice {
  return { bundleId: id, credits, priceCents, onSale };
}

function shows(row: PricedRow, policy: Policy): boolean {
  const price = currentPrice(policy, row.id);
  return (
    price?.version === row.policy_version &&
    price?.credits === row.credits &&
    price.priceCents === row.price_cents &&
    price.onSale === row.on_sale
  );
}
