export interface StoredFolder {
  readonly name: string;
  readonly changedAt: Date;
}

/** Formats that stored pictures are converted to. */
export const DERIVED_FORMATS = ['jpg', 'png'] as const;
export type DerivedFormat = (typeof DERIVED_FORMATS)[number];

/** Stores files. Names are unguessable paths below `/media/`; the content of a name never changes. */
export abstract class FileStorage {
  /** Stores the bytes durably. Storing the same bytes under the same name again is harmless. */
  abstract put(name: string, bytes: Buffer, contentType: string): Promise<void>;

  /** Returns the bytes, or null when there is no such file. */
  abstract get(name: string): Promise<Buffer | null>;

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
  getDerived(_name: string, _format: DerivedFormat): Promise<Buffer | null> {
    return Promise.resolve(null);
  }

  /** Keeps what was made from a file for a while, at most until the file is deleted. */
  async putDerived(_name: string, _format: DerivedFormat, _bytes: Buffer): Promise<void> {
    // Without a place for derived files, each request makes them.
  }

  /** Lists all folders with the time of their last change, in no particular order. */
  abstract folders(): AsyncIterable<StoredFolder>;

  /** Deletes a folder with all its files and what was made from them. Does nothing when there is no such folder. */
  abstract deleteFolder(name: string): Promise<void>;
}
