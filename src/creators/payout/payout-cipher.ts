import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type FactoryProvider, Logger } from '@nestjs/common';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/domain-error.js';
import { createKeyFile, readKeyFile } from '../../platform/key-file.js';
import { type PayoutFields } from './payout-rules.js';

const KEY_FILE = 'payout-details-key';
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Payout details as they are stored. */
export interface SealedDetails {
  readonly keyId: string;
  /** Initialisation vector, tag and ciphertext. */
  readonly sealed: Buffer;
}

/**
 * Encrypts payout details with AES-256-GCM, bound to their creator. The key is `PAYOUT_DETAILS_KEY`, or else a file in
 * the data folder. A missing key stops only the calls about payout details.
 */
export class PayoutCipher {
  private readonly logger = new Logger(PayoutCipher.name);

  constructor(
    private readonly given: Buffer | null,
    private readonly dataDir: string,
  ) {}

  /**
   * @param options.mayCreateKey a missing key file may be created: no details are stored under a lost key
   * @throws DomainError unavailable without a key
   */
  async seal(
    creatorId: string,
    fields: PayoutFields,
    { mayCreateKey }: { readonly mayCreateKey: boolean },
  ): Promise<SealedDetails> {
    const key = (await this.key()) ?? (mayCreateKey ? await this.createKey() : null);
    if (!key) throw this.unavailable('Payout details are stored, and their key is missing.');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(creatorId));
    const text = Buffer.concat([cipher.update(JSON.stringify(fields), 'utf8'), cipher.final()]);
    return { keyId: idOf(key), sealed: Buffer.concat([iv, cipher.getAuthTag(), text]) };
  }

  /** @throws DomainError unavailable without the key, or when the stored details were changed */
  async open(creatorId: string, { keyId, sealed }: SealedDetails): Promise<PayoutFields> {
    const key = await this.key();
    if (!key || idOf(key) !== keyId) throw this.unavailable('Payout details are encrypted with a key that is missing.');
    try {
      const iv = sealed.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(creatorId))
        .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as PayoutFields;
    } catch {
      throw this.unavailable('Stored payout details were changed outside the app.');
    }
  }

  private async key(): Promise<Buffer | null> {
    if (this.given) return this.given;
    try {
      return await readKeyFile(this.file);
    } catch (error) {
      throw this.unavailable('The key of the payout details cannot be read.', error);
    }
  }

  private async createKey(): Promise<Buffer> {
    try {
      return await createKeyFile(this.file);
    } catch (error) {
      throw this.unavailable('The key of the payout details cannot be stored.', error);
    }
  }

  private get file(): string {
    return join(this.dataDir, KEY_FILE);
  }

  private unavailable(reason: string, cause?: unknown): DomainError {
    this.logger.error(`${reason} Set PAYOUT_DETAILS_KEY to the key, or restore ${this.file}.`, { error: cause });
    return new DomainError('unavailable', CONTROL_MESSAGES.payoutKey, { cause });
  }
}

export const payoutCipherProvider: FactoryProvider<PayoutCipher> = {
  provide: PayoutCipher,
  inject: [CONFIG],
  useFactory: ({ payoutDetailsKey, dataDir }: Config) => new PayoutCipher(payoutDetailsKey, dataDir),
};

/** Names a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('payout details key ').update(key).digest('hex').slice(0, 16);
}
