import { type KeyObject } from 'node:crypto';
import { type SigningKeySource } from '../../src/audit/index.js';
import { FolderKeys } from '../../src/platform/keys/folder-keys.js';

/** The signing key of an app that has its keys in its data folder, or in LEDGER_SIGNING_KEY. */
export function keyInFolder(dataDir: string, given: KeyObject | null = null): SigningKeySource {
  return { given, keys: new FolderKeys(dataDir), dataDir };
}
