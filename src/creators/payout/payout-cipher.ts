import { createHash } from 'node:crypto';
import { type FactoryProvider, Logger } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { InstallationKeys, KeyError } from '../../platform/keys/installation-keys.js';
import { openText, sealText } from '../../platform/sealed-text.js';
import { type PayoutFields } from './payout-rules.js';

const KEY_NAME = 'payout-details-key';

/** Payout details as they are stored. */
export interface SealedDetails {
  readonly keyId: string;
  /** A sealed text, bound to the creator's id. */
  readonly sealed: Buffer;
}

/**
 * Encrypts payout details, bound to their creator. The key is `PAYOUT_DETAILS_KEY`, or else that of the installation. A
 * missing key stops only the calls about payout details.
 */
export class PayoutCipher {
  private readonly logger = new Logger(PayoutCipher.name);
  private known: Buffer | null;

  constructor(
    private readonly configuredKey: Buffer | null,
    private readonly keys: InstallationKeys,
  ) {
    this.known = configuredKey;
  }

  /**
   * Requires that this process has the key of the stored details, or none.
   * @throws KeyError when all of them are encrypted with another key, or the key cannot be read
   */
  async checkKey(db: Kysely<unknown>): Promise<void> {
    const key = this.configuredKey ?? (await this.keys.findBytes(KEY_NAME));
    if (!key) return;
    const { rows } = await sql<{ is_own: boolean }>`
      select key_id = ${idOf(key)} as is_own from creator_payout_details order by 1 desc limit 1`.execute(db);
    if (rows[0]?.is_own === false) {
      throw new KeyError(`The payout details of this database are encrypted with another key. ${this.remedy}`);
    }
    // The right key: one that was in the data folder is imported now.
    this.known = this.configuredKey ?? (await this.keys.keepBytes(KEY_NAME, key));
  }

  /**
   * @param options.mayCreateKey a missing key may be created: no details are stored under a lost key
   * @throws DomainError unavailable without a key
   */
  async seal(
    creatorId: string,
    fields: PayoutFields,
    { mayCreateKey }: { readonly mayCreateKey: boolean },
  ): Promise<SealedDetails> {
    const key = (await this.key()) ?? (mayCreateKey ? await this.createKey() : null);
    if (!key) throw this.unavailable('Payout details are stored, and their key is missing.');
    return { keyId: idOf(key), sealed: sealText(JSON.stringify(fields), key, creatorId) };
  }

  /** @throws DomainError unavailable without the key, or when the stored details were changed */
  async open(creatorId: string, { keyId, sealed }: SealedDetails): Promise<PayoutFields> {
    const key = await this.key();
    if (!key || idOf(key) !== keyId) throw this.unavailable('Payout details are encrypted with a key that is missing.');
    const text = openText(sealed, key, creatorId);
    if (text === null) throw this.unavailable('Stored payout details were changed outside the app.');
    return JSON.parse(text) as PayoutFields;
  }

  private async key(): Promise<Buffer | null> {
    try {
      return (this.known ??= await this.keys.findBytes(KEY_NAME));
    } catch (error) {
      throw this.unavailable('The key of the payout details cannot be read.', error);
    }
  }

  private async createKey(): Promise<Buffer> {
    try {
      return (this.known = await this.keys.keepBytes(KEY_NAME));
    } catch (error) {
      throw this.unavailable('The key of the payout details cannot be stored.', error);
    }
  }

  private get remedy(): string {
    return `Set PAYOUT_DETAILS_KEY to the key of the details, or restore ${this.keys.locationOf(KEY_NAME)}.`;
  }

  private unavailable(reason: string, cause?: unknown): DomainError {
    this.logger.error(`${reason} ${this.remedy}`, { error: cause });
    return new DomainError('unavailable', CONTROL_MESSAGES.payoutKey, { cause });
  }
}

export const payoutCipherProvider: FactoryProvider<PayoutCipher> = {
  provide: PayoutCipher,
  inject: [CONFIG, InstallationKeys, DATABASE],
  useFactory: async ({ payoutDetailsKey }: Config, keys: InstallationKeys, db: Kysely<unknown>) => {
    const cipher = new PayoutCipher(payoutDetailsKey, keys);
    await cipher.checkKey(db);
    return cipher;
  },
};

/** Names a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('payout details key ').update(key).digest('hex').slice(0, 16);
}
