import { tmpdir } from 'node:os';
import { DerivedFiles, type DerivedFormat, throughFile, type WriteFile } from './derived-files.js';

export interface StoredFolder {
  readonly name: string;
  readonly changedAt: Date;
}

/** Names consist of folders and files of plain characters. No part begins with a dot, so none leaves its folder. */
export const STORED_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;
const MAX_NAME_LENGTH = 200;

/** @throws RangeError for an invalid name */
export function checkStoredName(name: string): void {
  if (name.length > MAX_NAME_LENGTH || !STORED_NAME.test(name)) throw new RangeError('Not a name of a stored file');
}

/** Stores files. Names are unguessable paths below `/media/`; the content of a name never changes. */
export abstract class FileStorage {
  protected readonly derived: DerivedFiles | null;

  /** @param derivedDirectory where derived files are kept; null: nowhere */
  constructor(derivedDirectory: string | null = null) {
    this.derived = derivedDirectory === null ? null : new DerivedFiles(derivedDirectory, (name) => this.has(name));
  }

  /** Stores the bytes durably. Storing the same bytes under the same name again is harmless. */
  abstract put(name: string, bytes: Buffer, contentType: string): Promise<void>;

  /** Returns the bytes, or null when there is no such file. */
  abstract get(name: string): Promise<Buffer | null>;

  /** Whether there is such a file. */
  async has(name: string): Promise<boolean> {
    return (await this.get(name)) !== null;
  }

  /** Whether the file has exactly these bytes. */
  async holds(name: string, bytes: Buffer): Promise<boolean> {
    return (await this.get(name))?.equals(bytes) ?? false;
  }

  /** An address at which browsers can read the file for up to a minute; null: the app sends its bytes. */
  addressOf(_name: string, _contentType: string): Promise<string | null> {
    return Promise.resolve(null);
  }

  /** Origins other than the app's from which browsers read files: those of {@link addressOf}. */
  origins(): Promise<string[]> {
    return Promise.resolve([]);
  }

  /**
   * Stores a file under a second name, so that each of the two can be deleted without the other.
   * @returns false when there is no such file
   */
  async copy(from: string, to: string, contentType: string): Promise<boolean> {
    const bytes = await this.get(from);
    if (bytes) await this.put(to, bytes, contentType);
    return bytes !== null;
  }

  /** Deletes the file, and what was made from it. */
  abstract delete(name: string): Promise<void>;

  /** Returns what was made from a file, when the file exists and the result is still kept. */
  async getDerived(name: string, format: DerivedFormat): Promise<Buffer | null> {
    return this.derived && (await this.has(name)) ? this.derived.get(name, format) : null;
  }

  /**
   * Keeps what is made from a file for a while, at most until the file is deleted.
   * @param write writes the result to the path that it gets, which another process can do
   * @returns the bytes of the result
   */
  async putDerived(name: string, format: DerivedFormat, write: WriteFile): Promise<Buffer> {
    const bytes = await (this.derived?.put(name, format, write) ?? throughFile(tmpdir(), write));
    // The original may have been deleted meanwhile.
    if (this.derived && !(await this.has(name))) await this.derived.delete(name);
    return bytes;
  }

  /**
   * Deletes what this process has made from files that another one has deleted.
   * @param now milliseconds
   */
  async sweepDerived(now: number): Promise<void> {
    await this.derived?.sweep(now);
  }

  /** Lists all folders with the time of their last change, in no particular order. */
  abstract folders(): AsyncIterable<StoredFolder>;

  /** Deletes a folder with all its files and what was made from them. Does nothing when there is no such folder. */
  abstract deleteFolder(name: string): Promise<void>;
}
