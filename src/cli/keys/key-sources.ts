import { type Pool } from 'pg';
import { type Config } from '../../platform/config/config.js';
import { type DatabaseUser, openSources } from '../sources.js';
import { UsageError } from '../program.js';

/** The database with the keys. */
export async function openKeyTable(config: Config, as: DatabaseUser): Promise<Pool> {
  const { pool } = await openSources(config, { tables: ['installation_key'], as });
  return pool;
}

/** @throws UsageError without a master key */
export function requireMasterKey({ masterKey }: Config): Buffer {
  if (masterKey) return masterKey;
  throw new UsageError('Set FANVAS_MASTER_KEY to the master key of the database.');
}
