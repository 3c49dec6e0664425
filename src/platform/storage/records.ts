import { type FileStorage } from './file-storage.js';

/** Injection token of the `Records` of an installation, or null. */
export const RECORDS = Symbol('RECORDS');

/** The place of the records did not do what it was asked for. The message is a sentence. */
export class RecordsError extends Error {
  override readonly name = 'RecordsError';
}

/** Files that guard the database, in a place outside of it that all processes share. */
export class Records {
  /** @param location for sentences, such as `s3://bucket/ledger/` */
  constructor(
    private readonly storage: FileStorage,
    readonly location: string,
  ) {}

  /** @throws RecordsError */
  get(name: string): Promise<Buffer | null> {
    return this.ask(() => this.storage.get(name));
  }

  /** @throws RecordsError */
  has(name: string): Promise<boolean> {
    return this.ask(() => this.storage.has(name));
  }

  /**
   * Stores a file that is never replaced. May be repeated.
   * @returns false when there is another file of that name
   * @throws RecordsError
   */
  async keep(name: string, bytes: Buffer, contentType: string): Promise<boolean> {
    return this.ask(async () => {
      if (await this.storage.has(name)) return this.storage.holds(name, bytes);
      await this.storage.put(name, bytes, contentType);
      return true;
    });
  }

  /**
   * Replaces a file, unless it is another one than before. A process that hangs between the two may still replace a
   * newer file, since not every server of S3 knows conditions.
   * @param before its content when the caller began; null: there was none
   * @returns false when the file is another one by now
   * @throws RecordsError
   */
  async replace(name: string, before: string | null, text: string): Promise<boolean> {
    return this.ask(async () => {
      if (((await this.storage.get(name))?.toString('utf8') ?? null) !== before) return false;
      await this.storage.put(name, Buffer.from(text), 'text/plain');
      return true;
    });
  }

  private async ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The message of the storage is for users; its cause is for operators.
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      throw new RecordsError(`${this.location} cannot be used: ${reason}`, { cause: error });
    }
  }
}
