import { Injectable } from '@nestjs/common';

/** More than are ever withheld at once. The oldest ones have no files any more. */
const MOST = 100_000;

/**
 * Folders of pictures that are not served, although the storage may still have their files: it can be slow, full or out
 * of order while a picture is hidden or deleted. The context of the pictures fills it in each process.
 */
@Injectable()
export class WithheldPictures {
  private readonly folders = new Set<string>();

  has(folder: string): boolean {
    return this.folders.has(folder);
  }

  withhold(folder: string): void {
    this.folders.add(folder);
    if (this.folders.size <= MOST) return;
    const [oldest] = this.folders;
    if (oldest !== undefined) this.folders.delete(oldest);
  }

  serveAgain(folder: string): void {
    this.folders.delete(folder);
  }
}
