import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const identityMigrations: Migrations = {
  '0010_identity_app_user': {
    async up(db) {
      await sql`
        create table app_user (
          id text primary key,
          email text,
          name text,
          image_url text,
          roles text[] not null default '{}' check (roles <@ array['admin', 'finance', 'auditor']),
          created_at timestamptz not null,
          updated_at timestamptz,
          deleted_at timestamptz
        )`.execute(db);
    },
  },
};
