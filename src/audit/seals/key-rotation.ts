import { createPublicKey, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { fingerprintOf, isSignedBy, signText } from './signing-key.js';

/** The text that the old and the new key sign when the key of the ledger is replaced. */
interface RotationRecord {
  readonly format: 'fanvas-ledger-key-rotation';
  /** Number of the seal that contains the record: the last seal of the old key. */
  readonly number: number;
  /** Hash of the seal before that one; null for the first. */
  readonly previous: string | null;
  readonly rotatedAt: string;
  /** SPKI, DER, base64. */
  readonly oldPublicKey: string;
  readonly newPublicKey: string;
}

/** A signed replacement of the ledger's key. A reader that trusts one of the two keys can trust the other one. */
export interface KeyRotation extends RotationRecord {
  /** Ed25519 over the canonical JSON of the record, base64. */
  readonly oldSignature: string;
  readonly newSignature: string;
}

export function signRotation(
  position: { readonly number: number; readonly previous: string | null; readonly rotatedAt: string },
  oldKey: KeyObject,
  newKey: KeyObject,
): KeyRotation {
  const record: RotationRecord = {
    format: 'fanvas-ledger-key-rotation',
    ...position,
    oldPublicKey: derOf(oldKey),
    newPublicKey: derOf(newKey),
  };
  const text = textOf(record);
  return { ...record, oldSignature: signText(text, oldKey), newSignature: signText(text, newKey) };
}

/** The keys of a rotation whose two signatures are right; null for any other. */
function keysOf(rotation: KeyRotation): { readonly oldKey: KeyObject; readonly newKey: KeyObject } | null {
  try {
    const { oldSignature, newSignature, ...record } = rotation;
    const oldKey = keyOf(record.oldPublicKey);
    const newKey = keyOf(record.newPublicKey);
    const text = textOf(record);
    return isSignedBy(text, oldSignature, oldKey) && isSignedBy(text, newSignature, newKey) ? { oldKey, newKey } : null;
  } catch {
    // A forged record can have any content: no key, no signature or no text.
    return null;
  }
}

/** The public key that a rotation introduces. */
export function newKeyOf({ newPublicKey }: KeyRotation): KeyObject {
  return keyOf(newPublicKey);
}

/** The problem of the rotation in a seal, as a sentence; null when it is right or there is none. */
export function rotationProblem(seal: {
  readonly number: number;
  readonly previous: string | null;
  readonly keyFingerprint: string;
  readonly rotation?: KeyRotation;
}): string | null {
  const { rotation } = seal;
  if (!rotation) return null;
  const keys = keysOf(rotation);
  if (!keys) return 'The new key is not signed by both the old and the new key.';
  const isOfSeal = rotation.number === seal.number && rotation.previous === seal.previous;
  if (isOfSeal && fingerprintOf(keys.oldKey) === seal.keyFingerprint) return null;
  return 'The new key belongs to another seal.';
}

/** The keys that seals and exports may be signed with. */
export interface AcceptedKeys {
  readonly keys: readonly KeyObject[];
  /** The rotation that replaced a key, by the fingerprint of the replaced key. */
  readonly replaced: ReadonlyMap<string, KeyRotation>;
}

/**
 * Adds the keys that rotations connect with trusted ones, in both directions. Rotations of other keys are ignored.
 * @param complain receives a sentence for a key that was replaced by two different ones
 */
export function acceptKeys(
  trusted: readonly KeyObject[],
  rotations: readonly KeyRotation[],
  complain: (sentence: string) => void,
): AcceptedKeys {
  const accepted = new Map(trusted.map((key) => [fingerprintOf(key), key]));
  const replaced = new Map<string, KeyRotation>();
  let waiting = rotations.flatMap((rotation) => {
    const keys = keysOf(rotation);
    return keys ? [{ rotation, ...keys, old: fingerprintOf(keys.oldKey), next: fingerprintOf(keys.newKey) }] : [];
  });
  for (let before = Infinity; waiting.length < before;) {
    before = waiting.length;
    waiting = waiting.filter(({ rotation, oldKey, newKey, old, next }) => {
      if (!accepted.has(old) && !accepted.has(next)) return true;
      accepted.set(old, oldKey).set(next, newKey);
      const other = replaced.get(old);
      if (other && other.newPublicKey !== rotation.newPublicKey) {
        complain(
          `The key ${old} was replaced by two different keys, by seal ${other.number} and seal ${rotation.number}.`,
        );
      }
      if (!other || rotation.number < other.number) replaced.set(old, rotation);
      return false;
    });
  }
  return { keys: [...accepted.values()], replaced };
}

/** The problem of a file that a replaced key signed after its replacement, as a sentence; null when there is none. */
export function replacedKeyProblem(
  { keyFingerprint, startedAt }: { readonly keyFingerprint: string; readonly startedAt: string },
  { replaced }: AcceptedKeys,
): string | null {
  const rotation = replaced.get(keyFingerprint);
  if (!rotation || Date.parse(startedAt) <= Date.parse(rotation.rotatedAt)) return null;
  return `It was begun at ${startedAt} and is signed with a key that seal ${rotation.number} had replaced at ${rotation.rotatedAt}.`;
}

function textOf(record: RotationRecord): string {
  return canonicalJson({ ...record });
}

function derOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

function keyOf(der: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(der, 'base64'), type: 'spki', format: 'der' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.');
  return key;
}
