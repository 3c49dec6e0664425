import { PolicyStore } from '../../credits/index.js';
import { BundlePrices } from '../../payments/index.js';
import { type PaymentTables } from '../../payments/tables.js';
import { createDatabase } from '../../platform/database/pool.js';
import { UuidGenerator } from '../../platform/ids.js';
import { type VerbContext } from '../program.js';
import { openSources } from '../sources.js';

/** Tables that exist once the app was started. */
const TABLES = ['event', 'credit_bundle'];

/** Opens the prices. See {@link openSources}. */
export async function openPrices({ config, clock }: VerbContext): Promise<BundlePrices> {
  const { pool, eventStore } = await openSources(config, { tables: TABLES, as: 'app' });
  const policy = new PolicyStore(eventStore, clock, new UuidGenerator(), config.credits);
  return new BundlePrices(createDatabase<PaymentTables>(pool), policy);
}
