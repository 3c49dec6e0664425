import { type Pool } from 'pg';
import { type Config } from '../config/config.js';
import { DatabaseKeys, hasDatabaseKeys } from './database-keys.js';
import { FolderKeys } from './folder-keys.js';
import { type InstallationKeys, KeyError } from './installation-keys.js';

/** Settings that say where keys are. */
export type KeySettings = Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'masterKey' | 'ledger' | 'bonusClaimKey' | 'payoutDetailsKey'
>;

/**
 * The keys of an installation: in the database with a master key, and otherwise in the data folder.
 * @param warn receives a sentence for each key that was imported into the database
 * @throws KeyError with another master key than that of the database, or with none
 */
export async function openKeys(
  settings: KeySettings,
  pool: Pool,
  warn: (sentence: string) => void,
): Promise<InstallationKeys> {
  const folder = new FolderKeys(settings.dataDir);
  if (settings.masterKey) {
    const keys = new DatabaseKeys(pool, settings.masterKey, folder, warn);
    await keys.check();
    return keys;
  }
  if (!hasAllKeys(settings) && (await hasDatabaseKeys(pool))) {
    throw new KeyError('The keys of this database are encrypted under a master key: set FANVAS_MASTER_KEY to it.');
  }
  return folder;
}

/** Whether other processes of the database cannot have the same keys, because they are in this one's folder. */
export function hasKeysOfItsOwn(settings: KeySettings): boolean {
  return settings.databaseUrl !== null && settings.masterKey === null && !hasAllKeys(settings);
}

function hasAllKeys({ ledger, bonusClaimKey, payoutDetailsKey }: KeySettings): boolean {
  return [ledger.signingKey, bonusClaimKey, payoutDetailsKey].every((key) => key !== null);
}
