import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** Type of an Ed25519 key in key ids and verifier keys. */
const ED25519 = Buffer.from([1]);
const KEY_ID_BYTES = 4;
/** Signature lines that are read. */
const MOST_SIGNATURES = 16;
/** Control characters; a line feed is none of them. */
const CONTROL = /(?!\n)\p{Cc}/u;

/** The raw 32 bytes of an Ed25519 public key. */
function rawKey(key: KeyObject): Buffer {
  const { x = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}

/** The first bytes of the hash of a key's name and content: a signature names its key with them. */
function keyId(name: string, key: KeyObject): Buffer {
  const digest = createHash('sha256').update(`${name}\n`).update(ED25519).update(rawKey(key)).digest();
  return digest.subarray(0, KEY_ID_BYTES);
}

/** The verifier key as text: `<name>+<key id>+<key>` (C2SP signed-note). */
export function verifierKey(name: string, key: KeyObject): string {
  const encoded = Buffer.concat([ED25519, rawKey(key)]).toString('base64');
  return `${name}+${keyId(name, key).toString('hex')}+${encoded}`;
}

/** Signs a text as a note (C2SP signed-note). @param text ends with a line feed */
export function signNote(text: string, name: string, key: KeyObject): string {
  if (!isNoteText(text)) throw new Error('A note is text that ends with a line feed, without control characters.');
  if (name === '' || /[\s+]/u.test(name)) throw new Error('The name of a key has no spaces and no plus.');
  const signature = Buffer.concat([keyId(name, key), sign(null, Buffer.from(text), key)]);
  return `${text}\n— ${name} ${signature.toString('base64')}\n`;
}

/**
 * The text of a note that at least one of these keys has signed under this name; null when none has, when a signature
 * of one of them is wrong, or when this is no note. Ignores the signatures of other keys.
 */
export function openNote(note: string, name: string, keys: readonly KeyObject[]): string | null {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  if (end === -1 || !isNoteText(text) || !note.endsWith('\n') || CONTROL.test(note)) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) return null;
  let signed = false;
  for (const line of lines) {
    const [, signer, encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const signature = Buffer.from(encoded, 'base64');
    if (signer === undefined || signer.includes('+') || signature.toString('base64') !== encoded) return null;
    if (signature.length <= KEY_ID_BYTES) return null;
    if (signer !== name) continue;
    const key = keys.find((each) => keyId(name, each).equals(signature.subarray(0, KEY_ID_BYTES)));
    if (!key) continue;
    if (!verify(null, Buffer.from(text), key, signature.subarray(KEY_ID_BYTES))) return null;
    signed = true;
  }
  return signed ? text : null;
}

function isNoteText(text: string): boolean {
  return text.endsWith('\n') && text.isWellFormed() && !CONTROL.test(text);
}
