import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalFileStorage } from '../../platform/storage/local-file-storage.js';
import { readJson, writeJson } from '../json-file.js';
import { type PredictionRecord } from './prediction.js';

export interface Keys {
  readonly apiToken: string;
  /** `whsec_` and base64, as Replicate hands it out. */
  readonly webhookSecret: string;
}

/** Predictions are forgotten this long after they were made. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 60 * 60_000;

/**
 * The sandbox's state: one JSON file a prediction, replaced whole at every change, so that a killed process finds each
 * prediction as it last was; and the drawn files.
 */
export class Store {
  readonly records = new Map<string, PredictionRecord>();
  private readonly files: LocalFileStorage;

  private constructor(
    private readonly folder: string,
    readonly keys: Keys,
  ) {
    this.files = new LocalFileStorage(join(folder, 'files'));
  }

  static async open(folder: string, now: number): Promise<Store> {
    await mkdir(join(folder, 'predictions'), { recursive: true });
    const store = new Store(folder, await loadKeys(join(folder, 'keys.json')));
    await store.load(now);
    return store;
  }

  /** Resolves when the record is safe on disk. */
  async save(record: PredictionRecord): Promise<void> {
    this.records.set(record.id, record);
    await writeJson(this.pathOf(record.id), record);
  }

  async putFile(name: string, bytes: Buffer): Promise<void> {
    await this.files.put(name, bytes, 'image/png');
  }

  /** Null for a file that is not there, or whose name is none. */
  async getFile(name: string): Promise<Buffer | null> {
    return /^[a-z0-9]+\/[\w-]+\.png$/.test(name) ? this.files.get(name) : null;
  }

  async removeFiles(record: PredictionRecord): Promise<void> {
    await rm(join(this.folder, 'files', record.id), { recursive: true, force: true });
  }

  private async load(now: number): Promise<void> {
    const names = await readdir(join(this.folder, 'predictions'));
    for (const name of names.filter((file) => file.endsWith('.json'))) {
      const file = join(this.folder, 'predictions', name);
      const record = JSON.parse(await readFile(file, 'utf8')) as PredictionRecord;
      if (now - record.createdAt < FORGOTTEN_AFTER_MS) this.records.set(record.id, record);
      else {
        await this.removeFiles(record);
        await rm(file);
      }
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, 'predictions', `${id}.json`);
  }
}

async function loadKeys(file: string): Promise<Keys> {
  const existing = await readJson<Keys>(file);
  if (existing) return existing;
  const keys: Keys = {
    apiToken: `r8_sandbox_${randomBytes(18).toString('base64url')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  };
  await writeJson(file, keys);
  return keys;
}
