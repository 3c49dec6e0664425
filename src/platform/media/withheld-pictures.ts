import { Injectable } from '@nestjs/common';

/**
 * Folders of pictures that are not served, although the storage may still have their files: it can be slow, full or out
 * of order while a picture is hidden or deleted. The context of the pictures fills it in each process.
 */
@Injectable()
export class WithheldPictures {
  private folders = new Set<string>();

  has(folder: string): boolean {
    return this.folders.has(folder);
  }

  withhold(folder: string): void {
    this.folders.add(folder);
  }

  serveAgain(folder: string): void {
    this.folders.delete(folder);
  }

  /** Withholds these from now on, and no others. */
  replace(folders: Iterable<string>): void {
    this.folders = new Set(folders);
  }
}
