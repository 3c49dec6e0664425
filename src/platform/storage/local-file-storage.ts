import { randomUUID } from 'node:crypto';
import { link, mkdir, open, opendir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkStoredName, FileStorage, STORED_NAME, type StoredFolder } from './file-storage.js';
import { codeOf, nullIfMissing } from './missing-file.js';

/** Files below one directory, `<directory>/<name>`. A file exists completely and durably, or not at all. */
export class LocalFileStorage extends FileStorage {
  /** @param derivedDirectory where derived files are kept; null: nowhere */
  constructor(
    private readonly directory: string,
    derivedDirectory: string | null = null,
  ) {
    super(derivedDirectory);
  }

  override async put(name: string, bytes: Buffer, _contentType: string): Promise<void> {
    const target = this.pathOf(name);
    await mkdir(dirname(target), { recursive: true });
    // In the target's folder, so that the rename stays within one file system.
    const temporary = join(dirname(target), `.${randomUUID()}.new`);
    try {
      await writeAndSync(temporary, bytes);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncDirectory(dirname(target));
    await syncDirectory(this.directory);
  }

  override async get(name: string): Promise<Buffer | null> {
    return readFile(this.pathOf(name)).catch((error: unknown) => nullIfMissing(error));
  }

  /** Makes a second link to the file, because its content never changes. Without links, the bytes are copied. */
  override async copy(from: string, to: string, contentType: string): Promise<boolean> {
    const target = this.pathOf(to);
    await mkdir(dirname(target), { recursive: true });
    try {
      await link(this.pathOf(from), target);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return false;
      // The file system has no links, or no more of this file.
      if (code !== 'EEXIST') return super.copy(from, to, contentType);
    }
    await syncDirectory(dirname(target));
    await syncDirectory(this.directory);
    return true;
  }

  override async delete(name: string): Promise<void> {
    await unlink(this.pathOf(name)).catch((error: unknown) => nullIfMissing(error));
    await this.derived?.delete(name);
  }

  override async *folders(): AsyncGenerator<StoredFolder> {
    const directory = await opendir(this.directory).catch((error: unknown) => nullIfMissing(error));
    if (!directory) return;
    for await (const entry of directory) {
      if (!entry.isDirectory() || !STORED_NAME.test(entry.name)) continue;
      const stats = await stat(join(this.directory, entry.name)).catch((error: unknown) => nullIfMissing(error));
      if (stats) yield { name: entry.name, changedAt: stats.mtime };
    }
  }

  override async deleteFolder(name: string): Promise<void> {
    await rm(this.pathOf(name), { recursive: true, force: true });
    await this.derived?.deleteFolder(name);
  }

  override async has(name: string): Promise<boolean> {
    return (await stat(this.pathOf(name)).catch((error: unknown) => nullIfMissing(error))) !== null;
  }

  /** @throws RangeError for an invalid name */
  private pathOf(name: string): string {
    checkStoredName(name);
    return join(this.directory, name);
  }
}

async function writeAndSync(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the new name itself survive a power cut. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
