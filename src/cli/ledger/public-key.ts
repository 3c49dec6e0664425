import { existsSync } from 'node:fs';
import { fingerprintOf, privateKeyFile, publicPem, signingKey } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { note, say } from '../output.js';
import { type AddVerb, UsageError } from '../program.js';
import { JSON_OPTION } from './arguments.js';

/** `public-key`: prints the key that proves exports and seals. */
export const addPublicKey: AddVerb = (program, run) => {
  program
    .command('public-key')
    .description('the key that exports and seals are verified with, and its fingerprint')
    .addOption(JSON_OPTION)
    .action(({ json }: { json: boolean }) => run(async ({ config }) => printKey(json, config)));
};

function printKey(asJson: boolean, config: Config): boolean {
  const file = privateKeyFile(config.dataDir);
  if (config.ledger.signingKey === null && !existsSync(file)) {
    throw new UsageError(`There is no signing key in ${file}: start the app once, or set LEDGER_SIGNING_KEY.`);
  }
  const key = signingKey(config.ledger.signingKey, config.dataDir);
  if (asJson) say(JSON.stringify({ publicKey: publicPem(key), keyFingerprint: fingerprintOf(key) }));
  else {
    say(publicPem(key).trimEnd());
    note(`SHA-256 ${fingerprintOf(key)}`);
  }
  return true;
}
