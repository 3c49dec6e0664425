import { OperatorMistake } from '../../platform/operator-mistake.js';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InstallationKeys } from '../../platform/keys/installation-keys.js';
import { createWholeFile, replaceWholeFile } from '../../platform/whole-files.js';

/** File of the ledger's public key in the data folder. Auditors keep a copy. */
export const PUBLIC_KEY_FILE = 'ledger-public-key.pem';
const KEY_NAME = 'ledger-signing-key.pem';
/** The new private key while a rotation is in progress. */
const NEXT_KEY_NAME = 'ledger-signing-key.next.pem';

/** A key cannot be read or has the wrong type. The message is a sentence and never contains the key. */
export class SigningKeyError extends OperatorMistake {}

/** Where a process gets the signing key from. */
export interface SigningKeySource {
  /** The key of `LEDGER_SIGNING_KEY`; null: the one in `keys`. */
  readonly configuredKey: KeyObject | null;
  readonly keys: InstallationKeys;
  /** The public key is written there. */
  readonly dataDir: string;
}

/**
 * The Ed25519 key that signs exports and seals: the configured key, or else that of the installation. A missing key is
 * generated and stored. Also writes the public key to the data folder.
 * @throws SigningKeyError when the stored key cannot be used
 */
export async function signingKey({ configuredKey, keys, dataDir }: SigningKeySource): Promise<KeyObject> {
  const key = configuredKey ?? (await keptKey(keys, KEY_NAME, (await findSigningKey(keys)) ?? newKey()));
  replaceWholeFile(join(dataDir, PUBLIC_KEY_FILE), publicPem(key));
  return key;
}

/** The stored signing key; null without one. @throws SigningKeyError when it cannot be used */
export function findSigningKey(keys: InstallationKeys): Promise<KeyObject | null> {
  return findKey(keys, KEY_NAME);
}

/** Where the signing key is, for sentences. */
export function signingKeyLocation({ configuredKey, keys }: SigningKeySource): string {
  return configuredKey === null ? keys.locationOf(KEY_NAME) : 'LEDGER_SIGNING_KEY';
}

/** The key for the next rotation: stored until the rotation is recorded. @throws SigningKeyError */
export function nextKey(keys: InstallationKeys): Promise<KeyObject> {
  return keptKey(keys, NEXT_KEY_NAME, newKey());
}

/** Makes the next key the signing key, if it has this fingerprint. Completes an interrupted rotation. */
export async function adoptNextKey(keys: InstallationKeys, fingerprint: string): Promise<void> {
  const current = await findSigningKey(keys);
  if (current && fingerprintOf(current) === fingerprint) return;
  const next = await findKey(keys, NEXT_KEY_NAME);
  if (!next || fingerprintOf(next) !== fingerprint) return;
  await keptKey(keys, NEXT_KEY_NAME, next);
  await keys.move(NEXT_KEY_NAME, KEY_NAME);
}

async function findKey(keys: InstallationKeys, name: string): Promise<KeyObject | null> {
  const pem = await keys.find(name);
  return pem === null ? null : privateKeyIn(pem, keys.locationOf(name));
}

async function keptKey(keys: InstallationKeys, name: string, key: KeyObject): Promise<KeyObject> {
  return privateKeyIn(await keys.keep(name, privatePem(key)), keys.locationOf(name));
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
    throw new SigningKeyError(`There is no public key in ${file}; name one with --key.`, error);
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
  const key = newKey();
  return createWholeFile(file, privatePem(key)) ? key : privateKeyIn(readFileSync(file, 'utf8'), file);
}

function newKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function privateKeyIn(pem: string, location: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // No cause: its message could contain the key.
    throw new SigningKeyError(`There is no private key in ${location}.`);
  }
  return requireEd25519(key, location);
}

function requireEd25519(key: KeyObject, where: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new SigningKeyError(`${where} must hold an Ed25519 key; it is ${key.asymmetricKeyType ?? 'of another kind'}.`);
}
