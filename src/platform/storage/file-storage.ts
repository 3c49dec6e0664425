export interface StoredFolder {
  readonly name: string;
  readonly changedAt: Date;
}

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

  abstract delete(name: string): Promise<void>;

  /** Lists all folders with the time of their last change, in no particular order. */
  abstract folders(): AsyncIterable<StoredFolder>;

  /** Deletes a folder with all its files. Does nothing when there is no such folder. */
  abstract deleteFolder(name: string): Promise<void>;
}
