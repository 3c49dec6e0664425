import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '../../contract/durations.js';
import { nullIfMissing } from './missing-file.js';

/** Formats that stored pictures are converted to. */
export const DERIVED_FORMATS = ['jpg', 'png'] as const;
export type DerivedFormat = (typeof DERIVED_FORMATS)[number];

/** Writes a new file to this path. */
export type WriteFile = (path: string) => Promise<void>;

/**
 * Lets a new file with a name of its own be written, and returns its bytes.
 * @param keep moves the whole file away; otherwise it is deleted
 */
export async function throughFile(
  directory: string,
  write: WriteFile,
  keep?: (path: string) => Promise<void>,
): Promise<Buffer> {
  const temporary = join(directory, `.${randomUUID()}`);
  try {
    await write(temporary);
    const bytes = await readFile(temporary);
    await keep?.(temporary);
    return bytes;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A draft that is older was left by a crash (milliseconds). */
const DRAFT_MS = HOUR_MS;

/** All derived files together (bytes): about a thousand pictures as PNG. */
const MOST_BYTES = 1024 ** 3;

/**
 * Files that were made from stored ones, in one flat directory. Above `mostBytes`, the least recently used ones are
 * deleted; after a restart, the oldest ones. A file is found by the name of its original alone, so another process on
 * the same directory deletes it too. A process on another directory does that by {@link sweep}.
 */
export class DerivedFiles {
  /** Bytes of each file, the least recently used first. */
  private readonly sizes = new Map<string, number>();
  private bytes = 0;
  private listed: Promise<void> | null = null;

  /** @param isStored whether there is an original of this name; a crash can leave a file without one */
  constructor(
    private readonly directory: string,
    private readonly isStored: (name: string) => Promise<boolean>,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  async get(name: string, format: DerivedFormat): Promise<Buffer | null> {
    const file = fileOf(name, format);
    const bytes = await readFile(join(this.directory, file)).catch((error: unknown) => nullIfMissing(error));
    if (bytes) this.count(file, bytes.length);
    return bytes;
  }

  /** Keeps what `write` writes to the path that it gets, and returns the bytes. */
  async put(name: string, format: DerivedFormat, write: WriteFile): Promise<Buffer> {
    await this.list();
    const file = fileOf(name, format);
    // A whole file or none. It need not survive a power cut.
    const bytes = await throughFile(this.directory, write, (path) => rename(path, join(this.directory, file)));
    this.count(file, bytes.length);
    for (const oldest of this.sizes.keys()) {
      if (this.bytes <= this.mostBytes) break;
      await this.remove(oldest);
    }
    return bytes;
  }

  /** Deletes what was made from this file. */
  async delete(name: string): Promise<void> {
    await Promise.all(DERIVED_FORMATS.map((format) => this.remove(fileOf(name, format))));
  }

  /** Deletes what was made from the files of this folder. */
  async deleteFolder(name: string): Promise<void> {
    const files = (await readdir(this.directory).catch((error: unknown) => nullIfMissing(error))) ?? [];
    await Promise.all(files.filter((file) => file.startsWith(fileOf(`${name}/`))).map((file) => this.remove(file)));
  }

  /**
   * Deletes what has no original any more, because another process deleted it or a crash came between the two, and
   * drafts that a crash has left.
   * @param now milliseconds
   * @throws the first error, after all files were looked at
   */
  async sweep(now: number): Promise<void> {
    let failure: Error | null = null;
    for (const { file, at } of await this.files()) {
      try {
        if (!(await this.isKept(file, at > now - DRAFT_MS))) await this.remove(file);
      } catch (error) {
        failure ??= error as Error;
      }
    }
    if (failure !== null) throw failure;
  }

  private async isKept(file: string, isNew: boolean): Promise<boolean> {
    if (file.startsWith('.')) return isNew;
    const [name = ''] = file.split(FORMAT_SIGN);
    return this.isStored(name.replaceAll(FOLDER_SIGN, '/'));
  }

  private async remove(file: string): Promise<void> {
    this.bytes -= this.sizes.get(file) ?? 0;
    this.sizes.delete(file);
    await unlink(join(this.directory, file)).catch((error: unknown) => nullIfMissing(error));
  }

  /** Counts a file as the last used one. */
  private count(file: string, bytes: number): void {
    this.bytes += bytes - (this.sizes.get(file) ?? 0);
    this.sizes.delete(file);
    this.sizes.set(file, bytes);
  }

  /** Counts what earlier processes have left, once. */
  private async list(): Promise<void> {
    this.listed ??= this.countAll();
    await this.listed.catch((error: unknown) => {
      this.listed = null;
      throw error;
    });
  }

  private async countAll(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const found = (await this.files()).filter(({ file }) => !file.startsWith('.') && !this.sizes.has(file));
    for (const { file, bytes } of found.sort((one, other) => one.at - other.at)) this.count(file, bytes);
  }

  /** All files with the time of their last change (milliseconds), drafts of each process included. */
  private async files(): Promise<{ file: string; bytes: number; at: number }[]> {
    const found: { file: string; bytes: number; at: number }[] = [];
    for (const file of (await readdir(this.directory).catch((error: unknown) => nullIfMissing(error))) ?? []) {
      const stats = await stat(join(this.directory, file)).catch((error: unknown) => nullIfMissing(error));
      if (stats) found.push({ file, bytes: stats.size, at: stats.mtimeMs });
    }
    return found;
  }
}

/** Characters that no name of a stored file has, so that two originals never share a derived file. */
const FOLDER_SIGN = '~';
const FORMAT_SIGN = '=';

function fileOf(name: string, format?: DerivedFormat): string {
  return name.replaceAll('/', FOLDER_SIGN) + (format === undefined ? '' : FORMAT_SIGN + format);
}
