import { localStore } from '../../../lib/storage.js';

const STORED = 'fanvas-audit-key-copy';
/** The bytes before those of an Ed25519 key in DER (RFC 8410). */
const ED25519 = '302a300506032b6570032100';
const ED25519_BYTES = 44;

/** The fingerprint of an Ed25519 public key in PEM: the SHA-256 of its DER form, as in seals. Null for other text. */
export async function fingerprintOfPem(pem: string): Promise<string | null> {
  const [, base64] = /-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]+)-----END PUBLIC KEY-----/.exec(pem) ?? [];
  const der = base64 === undefined ? new Uint8Array() : bytesOf(base64);
  if (der.length !== ED25519_BYTES || !hexOf(der).startsWith(ED25519)) return null;
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', der)));
}

/** The fingerprint of the key whose copy was compared last in this browser; null without one. */
export function keyCopy(): string | null {
  return localStore.get(STORED);
}

/** Remembers the fingerprint of the auditor's copy in this browser. */
export function rememberKeyCopy(fingerprint: string): void {
  localStore.set(STORED, fingerprint);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    // Not base64: no key.
    return new Uint8Array();
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
