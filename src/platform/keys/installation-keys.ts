import { OperatorMistake } from '../operator-mistake.js';
import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** A key is missing, cannot be used, or is another one. The message is a sentence and never contains a key. */
export class KeyError extends OperatorMistake {}

/**
 * The secret keys that an installation makes for itself, by name. Each is a text: a PEM, or bytes in base64. Keys that
 * settings give are not stored here.
 */
export abstract class InstallationKeys {
  /**
   * The key of this name; null without one.
   * @throws KeyError when it cannot be read
   */
  abstract find(name: string): Promise<string | null>;

  /**
   * Stores a key unless there is one.
   * @returns the stored key: another process may have been faster
   * @throws KeyError when it cannot be stored
   */
  abstract keep(name: string, key: string): Promise<string>;

  /** Gives a stored key another name, in place of the key that had this name. Nothing happens without the key. */
  abstract move(from: string, to: string): Promise<void>;

  /** Where the key is kept, for sentences. */
  abstract locationOf(name: string): string;

  /** The key of 32 bytes that has this name; null without one. @throws KeyError */
  async findBytes(name: string): Promise<Buffer | null> {
    const text = await this.find(name);
    return text === null ? null : this.parse(name, text);
  }

  /** Like {@link keep}, for a key of 32 bytes; by default a new one. @throws KeyError */
  async keepBytes(name: string, key: Buffer = randomBytes(KEY_BYTES)): Promise<Buffer> {
    return this.parse(name, await this.keep(name, `${key.toString('base64')}\n`));
  }

  private parse(name: string, text: string): Buffer {
    const key = Buffer.from(text, 'base64');
    if (key.length === KEY_BYTES) return key;
    throw new KeyError(`There is no key of ${KEY_BYTES} bytes in ${this.locationOf(name)}.`);
  }
}
