/** Keeps the product's own copies of images. Names are unguessable paths below `/media/`; content never changes under a name. */
export abstract class FileStorage {
  /** Stores the bytes durably; storing the same name again with the same bytes is harmless. */
  abstract put(name: string, bytes: Buffer, contentType: string): Promise<void>;

  /** The bytes, or null when there is no such file. */
  abstract get(name: string): Promise<Buffer | null>;

  abstract delete(name: string): Promise<void>;
}
