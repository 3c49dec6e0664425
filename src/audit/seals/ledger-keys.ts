import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { requiredKey, rotationsOf, signingKeyOf } from './ledger-seals.js';
import { acceptKeys, type KeyRotation, newKeyOf } from './key-rotation.js';
import { fingerprintOf } from './signing-key.js';

/** The key of the running app. After a rotation it takes the new key from the data folder. */
export class LedgerKeys {
  private constructor(
    private readonly pool: Pool,
    private readonly given: KeyObject | null,
    private readonly dataDir: string,
    /** The key at the start of the process. */
    readonly initial: KeyObject,
    private key: KeyObject = initial,
  ) {}

  /** @throws SigningKeyError */
  static async open(pool: Pool, given: KeyObject | null, dataDir: string): Promise<LedgerKeys> {
    return new LedgerKeys(pool, given, dataDir, await signingKeyOf(pool, given, dataDir));
  }

  /**
   * The key that signs now.
   * @throws SigningKeyError when the key was replaced and this process does not have the new one
   */
  async current(): Promise<KeyObject> {
    const required = await requiredKey(this.pool);
    if (required !== null && required.fingerprint !== fingerprintOf(this.key)) {
      this.key = await signingKeyOf(this.pool, this.given, this.dataDir);
    }
    return this.key;
  }

  /** Every replacement of the key, the oldest first. */
  rotations(): Promise<KeyRotation[]> {
    return rotationsOf(this.pool);
  }

  /** The public keys of this ledger: the current one, and those that it replaced. */
  async accepted(): Promise<readonly KeyObject[]> {
    return acceptKeys([await this.currentPublic()], await this.rotations(), () => undefined).keys;
  }

  /** The public key that proves the next seal, also when this process does not have its private key. */
  async currentPublic(): Promise<KeyObject> {
    const required = await requiredKey(this.pool);
    return required?.rotation ? newKeyOf(required.rotation) : createPublicKey(this.key);
  }
}
