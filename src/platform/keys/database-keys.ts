import { hkdfSync } from 'node:crypto';
import { type Pool } from 'pg';
import { openText, sealText } from '../sealed-text.js';
import { type FolderKeys } from './folder-keys.js';
import { InstallationKeys, KeyError } from './installation-keys.js';

/** The row that says under which master key all rows are encrypted. It is written before the first key. */
const CHECK = 'master-key-check';
/** Postgres refuses a write: the user may only read, or the session does. */
const READ_ONLY: readonly unknown[] = ['42501', '25006'];

interface MasterKey {
  /** Names the master key without revealing it. */
  readonly id: string;
  readonly key: Buffer;
}

interface KeyRow {
  readonly name: string;
  readonly sealed: Buffer;
  readonly master_key_id: string;
}

/**
 * Keys in the table `installation_key`, each encrypted under the master key and bound to its name. All processes of an
 * installation have them. A key that the table lacks is looked for in the data folder, where it was before there was a
 * master key; `keep` then imports it.
 */
export class DatabaseKeys extends InstallationKeys {
  private readonly master: MasterKey;

  /** @param warn receives a sentence for each key that was imported */
  constructor(
    private readonly pool: Pool,
    masterKey: Buffer,
    private readonly folder: FolderKeys,
    private readonly warn: (sentence: string) => void,
  ) {
    super();
    this.master = masterOf(masterKey);
  }

  /** @throws KeyError when the table is encrypted under another master key */
  async check(): Promise<void> {
    await this.stored(CHECK);
  }

  async find(name: string): Promise<string | null> {
    return (await this.stored(name)) ?? (await this.folder.find(name));
  }

  async keep(name: string, key: string): Promise<string> {
    const stored = await this.stored(name);
    if (stored !== null) return stored;
    const isNew = await this.insert(name, key);
    const kept = await this.stored(name);
    if (kept === null) throw new KeyError(`The key ${name} cannot be read from the database.`);
    if (isNew && (await this.folder.find(name))?.trim() === key.trim()) {
      this.warn(
        `The key in ${this.folder.locationOf(name)} is now in the database, encrypted under FANVAS_MASTER_KEY. ` +
          'The file is not read any more: keep a copy in a safe place, and delete it when no older process runs.',
      );
    }
    return kept;
  }

  async move(from: string, to: string): Promise<void> {
    const row = await this.row(from);
    if (!row) return;
    const sealed = sealText(this.open(row), this.master.key, to);
    // Only the key that was read: meanwhile another process may have moved it, and made the next one.
    await this.pool.query(
      `with same as (select 1 from installation_key where name = $1 and master_key_id = $2 for share),
         gone as (delete from installation_key where name = $3 and sealed = $4 and exists (select from same) returning 1)
       insert into installation_key (name, sealed, master_key_id) select $5, $6, $2 from gone
       on conflict (name) do update set sealed = excluded.sealed, created_at = excluded.created_at`,
      [CHECK, this.master.id, from, row.sealed, to, sealed],
    );
  }

  locationOf(name: string): string {
    return `the row ${name} of the table installation_key or ${this.folder.locationOf(name)}`;
  }

  /**
   * Inserts a key unless there is one. Holds the row of the master key, so that a rotation of it comes before or after.
   * @returns whether the key is new
   */
  private async insert(name: string, key: string): Promise<boolean> {
    const { id, key: secret } = this.master;
    const statement = 'insert into installation_key (name, sealed, master_key_id)';
    try {
      await this.pool.query(`${statement} values ($1, $2, $3) on conflict do nothing`, [
        CHECK,
        sealText(CHECK, secret, CHECK),
        id,
      ]);
      const { rowCount } = await this.pool.query(
        `with same as (select 1 from installation_key where name = $1 and master_key_id = $2 for share)
         ${statement} select $3, $4, $2 from same on conflict do nothing`,
        [CHECK, id, name, sealText(key, secret, name)],
      );
      return rowCount === 1;
    } catch (error) {
      if (!READ_ONLY.includes((error as { code?: unknown }).code)) throw error;
      throw new KeyError(`The database has no key ${name}, and this user may not store one: start the app once.`);
    }
  }

  private async stored(name: string): Promise<string | null> {
    const row = await this.row(name);
    return row && this.open(row);
  }

  private async row(name: string): Promise<KeyRow | null> {
    const { rows } = await this.pool.query<KeyRow>(
      'select name, sealed, master_key_id from installation_key where name in ($1, $2)',
      [CHECK, name],
    );
    for (const { master_key_id: id } of rows) if (id !== this.master.id) throw otherMasterKey(id, this.master);
    return rows.find((row) => row.name === name) ?? null;
  }

  private open(row: KeyRow): string {
    return openRow(row, this.master);
  }
}

/** Returns true when the database has keys, which need the master key. */
export async function hasDatabaseKeys(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('select from installation_key limit 1');
  return rows.length > 0;
}

/** A key of the table, without its value. */
export interface ListedKey {
  readonly name: string;
  readonly createdAt: Date;
  /** Whether this master key decrypts it. */
  readonly opens: boolean;
}

/** The keys of the table, by name. */
export async function listDatabaseKeys(pool: Pool, masterKey: Buffer): Promise<ListedKey[]> {
  const { key } = masterOf(masterKey);
  const { rows } = await pool.query<KeyRow & { readonly created_at: Date }>(
    'select name, sealed, created_at from installation_key where name <> $1 order by name',
    [CHECK],
  );
  return rows.map(({ name, sealed, created_at: createdAt }) => {
    return { name, createdAt, opens: openText(sealed, key, name) !== null };
  });
}

/**
 * Encrypts all keys under another master key, in one transaction. Processes that run go on with the keys that they have
 * read; their next start needs the new master key. May be repeated.
 * @returns the number of keys; null when they were encrypted under the new master key already
 * @throws KeyError when the keys are encrypted under another one, or one of them was changed
 */
export async function rotateMasterKey(pool: Pool, from: Buffer, to: Buffer): Promise<number | null> {
  const old = masterOf(from);
  const next = masterOf(to);
  const client = await pool.connect();
  try {
    await client.query('begin');
    // First, so that no process stores a key under the old master key any more.
    const { rows: checks } = await client.query<KeyRow>(
      'select name, sealed, master_key_id from installation_key where name = $1 for update',
      [CHECK],
    );
    if (!checks[0]) throw new KeyError('The database has no keys: start the app with FANVAS_MASTER_KEY once.');
    const current = checks[0].master_key_id;
    if (current !== next.id && current !== old.id) throw otherMasterKey(current, old);
    const { rows } = await client.query<KeyRow>('select name, sealed, master_key_id from installation_key');
    if (current === old.id) {
      for (const row of rows) {
        await client.query('update installation_key set sealed = $2, master_key_id = $3 where name = $1', [
          row.name,
          sealText(openRow(row, old), next.key, row.name),
          next.id,
        ]);
      }
    }
    await client.query('commit');
    return current === old.id ? rows.length - 1 : null;
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is lost, and with it the transaction
    throw error;
  } finally {
    client.release();
  }
}

function masterOf(masterKey: Buffer): MasterKey {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `fanvas installation keys: ${purpose}`, bytes));
  return { id: derive('id', 8).toString('hex'), key: derive('encryption', 32) };
}

function openRow({ name, sealed }: KeyRow, { key }: MasterKey): string {
  const text = openText(sealed, key, name);
  if (text !== null) return text;
  throw new KeyError(
    `The key ${name} in the table installation_key was changed outside the app: restore the row from a backup.`,
  );
}

function otherMasterKey(stored: string, { id }: MasterKey): KeyError {
  return new KeyError(
    `The keys of this database are encrypted under the master key ${stored}, and FANVAS_MASTER_KEY is ${id}: ` +
      'set the same one for all processes (docs/runbooks/keys.md).',
  );
}
