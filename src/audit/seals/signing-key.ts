import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createWholeFile, replaceWholeFile } from '../../platform/whole-files.js';

/** File of the ledger's public key in the data folder. Auditors keep a copy. */
export const PUBLIC_KEY_FILE = 'ledger-public-key.pem';
const PRIVATE_KEY_FILE = 'ledger-signing-key.pem';
/** The new private key while a rotation is in progress. */
const NEXT_KEY_FILE = 'ledger-signing-key.next.pem';

/** A key cannot be read or has the wrong type. The message is a sentence and never contains the key. */
export class SigningKeyError extends Error {}

/**
 * The Ed25519 key that signs exports and seals: the given key, or else the key in the data folder. A missing key is
 * generated there, readable only by its owner. Also writes the public key to the data folder.
 * @throws SigningKeyError when the stored key cannot be used
 */
export function signingKey(given: KeyObject | null, dataDir: string): KeyObject {
  const key = given ?? keyOfFile(privateKeyFile(dataDir));
  publishKey(key, dataDir);
  return key;
}

/** The key that {@link signingKey} returns, without writing its public key. @throws SigningKeyError */
export function unpublishedKey(given: KeyObject | null, dataDir: string): KeyObject {
  return given ?? keyOfFile(privateKeyFile(dataDir));
}

/** Writes the public key to the data folder. */
function publishKey(key: KeyObject, dataDir: string): void {
  replaceWholeFile(join(dataDir, PUBLIC_KEY_FILE), publicPem(key));
}

/** The key for the next rotation: kept in the data folder until the rotation is recorded. @throws SigningKeyError */
export function nextKey(dataDir: string): KeyObject {
  return keyOfFile(join(dataDir, NEXT_KEY_FILE));
}

/** Makes the next key the key of the data folder, if it has this fingerprint. Completes an interrupted rotation. */
export function adoptNextKey(dataDir: string, fingerprint: string): void {
  const next = join(dataDir, NEXT_KEY_FILE);
  if (!existsSync(next) || fingerprintOf(keyOfFile(next)) !== fingerprint) return;
  try {
    renameSync(next, privateKeyFile(dataDir));
  } catch (error) {
    // Another process has completed the rotation.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The file of the key that was generated in the data folder. */
export function privateKeyFile(dataDir: string): string {
  return join(dataDir, PRIVATE_KEY_FILE);
}

/** The public key in the format that auditors keep (SPKI, PEM). */
export function publicPem(key: KeyObject): string {
  return publicPartOf(key).export({ type: 'spki', format: 'pem' }).toString();
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

/** SHA-256 of the public key (SPKI, DER), lower-case hex. Auditors compare it over a second channel. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(publicPartOf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function publicPartOf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key;
}

/** Ed25519, base64. */
export function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text, 'utf8'), key).toString('base64');
}

export function isSignedBy(text: string, signature: string, key: KeyObject): boolean {
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
}

/** The private key in a file, which is generated when it is missing. @throws SigningKeyError */
export function keyOfFile(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  if (createWholeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))) return privateKey;
  let kept: KeyObject;
  try {
    kept = createPrivateKey(readFileSync(file));
  } catch {
    // No cause: its message could contain the key.
    throw new SigningKeyError(`There is no private key in ${file}.`);
  }
  return requireEd25519(kept, file);
}

function requireEd25519(key: KeyObject, where: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new SigningKeyError(`${where} must hold an Ed25519 key; it is ${key.asymmetricKeyType ?? 'of another kind'}.`);
}
