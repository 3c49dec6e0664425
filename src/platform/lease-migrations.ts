import { sql } from 'kysely';
import { type Migrations } from './database/database.js';

export const leaseMigrations: Migrations = {
  '0171_platform_leases': [
    // Random tokens, because a sequence of an unlogged table starts again after a crash. The key is that of the
    // advisory lock, with which `pg_locks` shows whether the holder still lives.
    sql`
        create unlogged table lease (
          name text primary key,
          key bigint not null,
          token uuid not null default gen_random_uuid(),
          owner text not null,
          claimed_at timestamptz not null default clock_timestamp()
        ) with (fillfactor = 50)`,
  ],
};
