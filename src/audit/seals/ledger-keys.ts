import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { requiredKey, rotationsOf, signingKeyOf } from './ledger-seals.js';
import { acceptKeys, type KeyRotation } from './key-rotation.js';
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

  /** The public keys of this ledger: that of this process, and those that rotations connect with it. */
  async accepted(): Promise<readonly KeyObject[]> {
    return acceptKeys([createPublicKey(this.key)], await this.rotations(), () => undefined).keys;
  }

  /**
   * The public key that proves the next seal, also when this process does not have its private key. A rotation counts
   * only if it is connected with the key of this process: the app's database user can insert any row of a seal.
   */
  async currentPublic(): Promise<KeyObject> {
    const own = createPublicKey(this.key);
    const required = await requiredKey(this.pool);
    if (!required?.rotation) return own;
    const accepted = await this.accepted();
    return accepted.find((key) => fingerprintOf(key) === required.fingerprint) ?? own;
  }
}
