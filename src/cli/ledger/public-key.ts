import { findSigningKey, fingerprintOf, publicPem, signingKey } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { FolderKeys } from '../../platform/keys/folder-keys.js';
import { openKeys } from '../../platform/keys/open-keys.js';
import { note, say } from '../output.js';
import { type AddVerb, UsageError } from '../program.js';
import { JSON_OPTION } from './arguments.js';
import { openLedger } from './ledger-sources.js';

/** `public-key`: prints the key that proves exports and seals. */
export const addPublicKey: AddVerb = (program, run) => {
  program
    .command('public-key')
    .description('the key that exports and seals are verified with, and its fingerprint')
    .addOption(JSON_OPTION)
    .action(({ json }: { json: boolean }) => run(({ config }) => printKey(json, config)));
};

async function printKey(asJson: boolean, config: Config): Promise<boolean> {
  const { dataDir } = config;
  const configuredKey = config.ledger.signingKey;
  // A configured key needs no database.
  const keys = configuredKey ? new FolderKeys(dataDir) : await openKeys(config, (await openLedger(config)).pool, note);
  if (!configuredKey && !(await findSigningKey(keys))) {
    throw new UsageError('There is no signing key yet: start the app once, or set LEDGER_SIGNING_KEY.');
  }
  const key = await signingKey({ configuredKey, keys, dataDir });
  if (asJson) say(JSON.stringify({ publicKey: publicPem(key), keyFingerprint: fingerprintOf(key) }));
  else {
    say(publicPem(key).trimEnd());
    note(`SHA-256 ${fingerprintOf(key)}`);
  }
  return true;
}
