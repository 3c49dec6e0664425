import { fingerprintOf, publicPem, signingKey } from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { note, say } from '../output.js';
import { type AddVerb } from '../program.js';
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
  const key = signingKey(config.ledger.signingKey, config.dataDir);
  if (asJson) say(JSON.stringify({ publicKey: publicPem(key), keyFingerprint: fingerprintOf(key) }));
  else {
    say(publicPem(key).trimEnd());
    note(`SHA-256 ${fingerprintOf(key)}`);
  }
  return true;
}
