import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const keyMigrations: Migrations = {
  '0170_installation_keys': [
    sql`
        create table installation_key (
          name text primary key,
          sealed bytea not null,
          master_key_id text not null,
          created_at timestamptz not null default now()
        )`,
  ],
};
