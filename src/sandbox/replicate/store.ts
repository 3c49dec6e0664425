import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalFileStorage } from '../../platform/storage/local-file-storage.js';
import { readOrCreate, writeJson } from '../json-file.js';
import { type PredictionRecord } from './prediction.js';

export interface Keys {
  readonly apiToken: string;
  /** `whsec_` and base64, as Replicate issues it. */
  readonly webhookSecret: string;
}

/** Predictions are deleted this long after their creation. */
const RECORD_RETENTION_MS = 7 * 24 * 60 * 60_000;

/**
 * The sandbox's state: the drawn files, and one JSON file per prediction, replaced atomically at every change. A killed
 * process leaves each prediction in its last saved state.
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

  /** Resolves when the record is on disk. */
  async save(record: PredictionRecord): Promise<void> {
    this.records.set(record.id, record);
    await writeJson(this.pathOf(record.id), record);
  }

  async putFile(name: string, bytes: Buffer): Promise<void> {
    await this.files.put(name, bytes, 'image/png');
  }

  /** Null for a missing file or an invalid name. */
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
      if (now - record.createdAt < RECORD_RETENTION_MS) this.records.set(record.id, record);
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

const loadKeys = (file: string): Promise<Keys> =>
  readOrCreate(file, () => ({
    apiToken: `r8_sandbox_${randomBytes(18).toString('base64url')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  }));
