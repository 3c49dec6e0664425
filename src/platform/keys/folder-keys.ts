import { renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, nullIfMissing } from '../storage/missing-file.js';
import { createWholeFile } from '../whole-files.js';
import { InstallationKeys, KeyError } from './installation-keys.js';

/** Keys in files of the data folder that only their owner reads. */
export class FolderKeys extends InstallationKeys {
  constructor(private readonly folder: string) {
    super();
  }

  async find(name: string): Promise<string | null> {
    try {
      return await readFile(this.placeOf(name), 'utf8').catch(nullIfMissing);
    } catch (error) {
      throw new KeyError(`The key in ${this.placeOf(name)} cannot be read (${String(codeOf(error))}).`);
    }
  }

  async keep(name: string, key: string): Promise<string> {
    try {
      if (createWholeFile(this.placeOf(name), key)) return key;
    } catch (error) {
      throw new KeyError(`The key cannot be stored in ${this.placeOf(name)} (${String(codeOf(error))}).`);
    }
    const kept = await this.find(name);
    if (kept === null) throw new KeyError(`The key in ${this.placeOf(name)} cannot be read.`);
    return kept;
  }

  move(from: string, to: string): Promise<void> {
    try {
      renameSync(this.placeOf(from), this.placeOf(to));
    } catch (error) {
      // Another process has moved it.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    return Promise.resolve();
  }

  placeOf(name: string): string {
    return join(this.folder, name);
  }
}
