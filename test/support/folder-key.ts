import { type KeyObject } from 'node:crypto';
import { type SigningKeySource } from '../../src/audit/index.js';
import { FolderKeys } from '../../src/platform/keys/folder-keys.js';

/** The signing key of an app that has its keys in its data folder, or in LEDGER_SIGNING_KEY. */
export function keyInFolder(dataDir: string, configuredKey: KeyObject | null = null): SigningKeySource {
  return { configuredKey, keys: new FolderKeys(dataDir), dataDir };
}
