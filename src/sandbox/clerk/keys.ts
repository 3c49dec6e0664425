import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreate } from '../json-file.js';

/** The secrets of one sandbox, created once per data folder. */
export interface SandboxKeys {
  /** PKCS #8 PEM, RSA 2048. */
  readonly signingKey: string;
  /** SPKI PEM of the same key. */
  readonly publicKey: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** Reads the keys in `dataDir`, or creates them. */
export const loadKeys = (dataDir: string): Promise<SandboxKeys> =>
  readOrCreate(join(dataDir, 'keys.json'), () => {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return {
      signingKey: pair.privateKey,
      publicKey: pair.publicKey,
      secretKey: `sk_test_${randomBytes(30).toString('base64url')}`,
      webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
    };
  });
