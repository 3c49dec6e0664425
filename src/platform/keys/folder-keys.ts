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
      return await readFile(this.locationOf(name), 'utf8').catch(nullIfMissing);
    } catch (error) {
      throw new KeyError(`The key in ${this.locationOf(name)} cannot be read (${String(codeOf(error))}).`);
    }
  }

  async keep(name: string, key: string): Promise<string> {
    try {
      if (createWholeFile(this.locationOf(name), key)) return key;
    } catch (error) {
      throw new KeyError(`The key cannot be stored in ${this.locationOf(name)} (${String(codeOf(error))}).`);
    }
    const kept = await this.find(name);
    if (kept === null) throw new KeyError(`The key in ${this.locationOf(name)} cannot be read.`);
    return kept;
  }

  move(from: string, to: string): Promise<void> {
    try {
      renameSync(this.locationOf(from), this.locationOf(to));
    } catch (error) {
      // Another process has moved it.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    return Promise.resolve();
  }

  locationOf(name: string): string {
    return join(this.folder, name);
  }
}
