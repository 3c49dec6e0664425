import { type Pool } from 'pg';
import { type SigningKeySource } from '../../audit/index.js';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { accountStream } from '../../credits/index.js';
import { type Config } from '../../platform/config/config.js';
import { note } from '../output.js';
import { openKeys } from '../../platform/keys/open-keys.js';
import { type DatabaseUser, openSources, type Sources } from '../sources.js';

/** Tables that exist once the app was started. */
const TABLES = [
  ...['event', 'credit_balance', 'creator_earning', 'generation', 'checkout'],
  ...[
    'projection_checkpoint',
    'projection_rebuild',
    'ledger_seal',
    'ledger_verification',
    'log_leaf',
    'installation_key',
    'lease',
  ],
];

/** Opens the ledger's data. See {@link openSources}. */
export function openLedger(
  config: Config,
  options: { readonly as?: DatabaseUser; readonly noStatementTimeout?: boolean } = {},
): Promise<Sources> {
  return openSources(config, { tables: TABLES, ...options });
}

/** Where the ledger's signing key is. @throws KeyError */
export async function signingKeySource(config: Config, pool: Pool): Promise<SigningKeySource> {
  return { configuredKey: config.ledger.signingKey, keys: await openKeys(config, pool, note), dataDir: config.dataDir };
}

/** The ledger holds no account of this user. */
export class NoAccountError extends Error {}

/** @throws NoAccountError; StreamDeletedError when the stream of the account was deleted */
export async function requireAccount(eventStore: EventStore, userId: string): Promise<void> {
  const first = await eventStore.readStream(accountStream(userId), { limit: 1 });
  if (first.length === 0) throw new NoAccountError(`There is no account of ${userId}.`);
}
