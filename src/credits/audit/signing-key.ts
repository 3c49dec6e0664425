import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the public key of the ledger lies in the data folder; a copy of it is what auditors keep. */
export const PUBLIC_KEY_FILE = 'ledger-public-key.pem';
const PRIVATE_KEY_FILE = 'ledger-signing-key.pem';

/** A key cannot be read, or is of another kind. The message is a sentence and never shows the key. */
export class SigningKeyError extends Error {}

/**
 * The Ed25519 key that signs exports: the given one (PKCS #8, as PEM or base64), else the one kept in the data folder, which is
 * made when there is none, readable by its owner alone. Writes the public key beside it.
 * @throws SigningKeyError
 */
export function signingKey(setting: string | null, dataDir: string): KeyObject {
  const key = setting === null ? keptKey(dataDir) : parsePrivateKey(setting, 'LEDGER_SIGNING_KEY');
  mkdirSync(dataDir, { recursive: true });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  writeFileSync(join(dataDir, PUBLIC_KEY_FILE), publicKey);
  return key;
}

/** @throws SigningKeyError */
export function readPublicKey(file: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey(readFileSync(file));
  } catch (error) {
    throw new SigningKeyError(`There is no public key in ${file}; name one with --key.`, { cause: error });
  }
  return requireEd25519(key, file);
}

/** SHA-256 of the public key (SPKI, DER), lower-case hex: what to compare by telephone. */
export function fingerprintOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Ed25519, base64. */
export function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text, 'utf8'), key).toString('base64');
}

export function isSignedBy(text: string, signature: string, key: KeyObject): boolean {
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
}

function keptKey(dataDir: string): KeyObject {
  const file = join(dataDir, PRIVATE_KEY_FILE);
  mkdirSync(dataDir, { recursive: true });
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    // Fails when there is one: two processes that start at once end up with the same key
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx', flush: true });
    return privateKey;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return parsePrivateKey(readFileSync(file, 'utf8'), file);
}

function parsePrivateKey(text: string, where: string): KeyObject {
  const pem = text.replaceAll('\\n', '\n');
  let key: KeyObject;
  try {
    key = pem.includes('-----BEGIN')
      ? createPrivateKey(pem)
      : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    // Without a cause: it could quote the key
    throw new SigningKeyError(`${where} must be a private Ed25519 key in PKCS #8, as PEM or base64.`);
  }
  return requireEd25519(key, where);
}

function requireEd25519(key: KeyObject, where: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new SigningKeyError(`${where} must be an Ed25519 key; it is ${key.asymmetricKeyType ?? 'of another kind'}.`);
}
