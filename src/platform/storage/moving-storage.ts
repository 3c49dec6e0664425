import { FileStorage, type StoredFolder } from './file-storage.js';

/**
 * A bucket to which the files of a folder move (`npm run media -- copy`). New files are stored in the bucket; what it
 * does not have yet is read from the folder.
 */
export class MovingStorage extends FileStorage {
  constructor(
    private readonly bucket: FileStorage,
    private readonly folder: FileStorage,
    derivedDirectory: string | null = null,
  ) {
    super(derivedDirectory);
  }

  override put(name: string, bytes: Buffer, contentType: string): Promise<void> {
    return this.bucket.put(name, bytes, contentType);
  }

  override async get(name: string): Promise<Buffer | null> {
    return (await this.bucket.get(name)) ?? this.folder.get(name);
  }

  override async has(name: string): Promise<boolean> {
    return (await this.bucket.has(name)) || this.folder.has(name);
  }

  /** Null also for a file that the bucket does not have. */
  override async addressOf(name: string, contentType: string): Promise<string | null> {
    const address = await this.bucket.addressOf(name, contentType);
    return address !== null && (await this.bucket.has(name)) ? address : null;
  }

  override origins(): Promise<string[]> {
    return this.bucket.origins();
  }

  override async copy(from: string, to: string, contentType: string): Promise<boolean> {
    if (await this.bucket.copy(from, to, contentType)) return true;
    return super.copy(from, to, contentType);
  }

  /** First the folder: what is left in the bucket after a crash is deleted again, and not found in the folder. */
  override async delete(name: string): Promise<void> {
    await this.folder.delete(name);
    await this.bucket.delete(name);
    await this.derived?.delete(name);
  }

  override async *folders(): AsyncGenerator<StoredFolder> {
    yield* this.bucket.folders();
    yield* this.folder.folders();
  }

  override async deleteFolder(name: string): Promise<void> {
    await this.folder.deleteFolder(name);
    await this.bucket.deleteFolder(name);
    await this.derived?.deleteFolder(name);
  }
}
