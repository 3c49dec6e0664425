import { createHmac } from 'node:crypto';
import { type FactoryProvider } from '@nestjs/common';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { InstallationKeys } from '../../platform/keys/installation-keys.js';
import { OperatorMistake } from '../../platform/operator-mistake.js';
import { type IdentityTables } from '../tables.js';
import { normaliseAddress } from './normalise-address.js';

const KEY_NAME = 'bonus-claim-key';

/** The key of the sign-up bonus's claims is missing, unreadable or another one. The message never contains a key. */
class ClaimKeyError extends OperatorMistake {}

/** Hashes addresses, so that claims can be compared and do not reveal them. */
export class AddressHasher {
  constructor(private readonly key: Buffer) {}

  /** HMAC-SHA-256 of the normalised address. Null for an address that `normaliseAddress` refuses. */
  hash(address: string): Buffer | null {
    const normal = normaliseAddress(address);
    return normal === null ? null : createHmac('sha256', this.key).update(normal).digest();
  }
}

export const addressHasherProvider: FactoryProvider<AddressHasher> = {
  provide: AddressHasher,
  inject: [CONFIG, DATABASE, InstallationKeys, Clock],
  useFactory: async ({ bonusClaimKey }: Config, db: Kysely<IdentityTables>, keys: InstallationKeys, clock: Clock) =>
    new AddressHasher(await claimKey(db, bonusClaimKey, keys, clock.now())),
};

/**
 * The key of the claims: the given one, or else that of the installation. The first start generates a missing one.
 * Later, a missing or different key would give every person a second bonus, so it is an error.
 * @throws ClaimKeyError
 * @throws KeyError
 */
export async function claimKey(
  db: Kysely<IdentityTables>,
  configuredKey: Buffer | null,
  keys: InstallationKeys,
  now: Date,
): Promise<Buffer> {
  const remedy = `set BONUS_CLAIM_KEY to the key of the claims, or restore ${keys.locationOf(KEY_NAME)}.`;
  const key = configuredKey ?? (await keys.findBytes(KEY_NAME)) ?? (await missingKey(db, keys, remedy));
  const fingerprint = createHmac('sha256', key).update('The key of the sign-up bonus claims').digest('hex');
  await db
    .insertInto('bonus_claim_key')
    .values({ fingerprint, since: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await readFingerprint(db)) !== fingerprint) {
    throw new ClaimKeyError(`The sign-up bonuses of this database were claimed under another key: ${remedy}`);
  }
  // The right key: one that was in the data folder is imported now.
  if (configuredKey === null) await keys.keepBytes(KEY_NAME, key);
  return key;
}

/** A new key, unless the database has one. @throws ClaimKeyError */
async function missingKey(db: Kysely<IdentityTables>, keys: InstallationKeys, remedy: string): Promise<Buffer> {
  if (!(await readFingerprint(db))) return keys.keepBytes(KEY_NAME);
  // A process that starts at the same time stores the key before the fingerprint.
  const key = await keys.findBytes(KEY_NAME);
  if (key) return key;
  throw new ClaimKeyError(`Sign-up bonuses were claimed, and the key of the claims is missing: ${remedy}`);
}

async function readFingerprint(db: Kysely<IdentityTables>): Promise<string | undefined> {
  const row = await db.selectFrom('bonus_claim_key').select('fingerprint').executeTakeFirst();
  return row?.fingerprint;
}
