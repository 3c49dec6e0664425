import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Pool } from 'pg';
import { requiredKey, rotationsOf, signingKeyOf } from './ledger-seals.js';
import { type AcceptedKeys, acceptKeys, newKeyOf, type KeyRotation } from './key-rotation.js';
import { fingerprintOf, type SigningKeySource } from './signing-key.js';

/** The key of the running app. After a rotation it takes the new key of the installation. */
export class LedgerKeys {
  private constructor(
    private readonly pool: Pool,
    private readonly source: SigningKeySource,
    /** The key at the start of the process. */
    readonly initial: KeyObject,
    private key: KeyObject = initial,
  ) {}

  /** @throws SigningKeyError */
  static async open(pool: Pool, source: SigningKeySource): Promise<LedgerKeys> {
    return new LedgerKeys(pool, source, await signingKeyOf(pool, source));
  }

  /**
   * The key that signs now.
   * @throws SigningKeyError when the key was replaced and this process does not have the new one
   */
  async current(): Promise<KeyObject> {
    const required = await requiredKey(this.pool);
    if (required !== null && required !== fingerprintOf(this.key)) {
      this.key = await signingKeyOf(this.pool, this.source);
    }
    return this.key;
  }

  /** Every replacement of the key, the oldest first. */
  rotations(): Promise<KeyRotation[]> {
    return rotationsOf(this.pool);
  }

  /** The public keys of this ledger: that of this process, and those that rotations connect with it. */
  async accepted(): Promise<readonly KeyObject[]> {
    return (await this.connected()).keys;
  }

  /**
   * The public key that proves the next seal, also when this process does not have its private key. Only rotations from
   * the key of this process count: the app's database user can insert any row of a seal.
   */
  async currentPublic(): Promise<KeyObject> {
    let key = createPublicKey(this.key);
    if ((await requiredKey(this.pool)) === fingerprintOf(key)) return key;
    const { replaced } = await this.connected();
    for (let remaining = replaced.size; remaining > 0; remaining -= 1) {
      const rotation = replaced.get(fingerprintOf(key));
      if (!rotation) break;
      key = newKeyOf(rotation);
    }
    return key;
  }

  private async connected(): Promise<AcceptedKeys> {
    return acceptKeys([createPublicKey(this.key)], await this.rotations(), () => undefined);
  }
}
