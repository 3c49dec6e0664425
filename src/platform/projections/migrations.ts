import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const projectionMigrations: Migrations = {
  '0002_projections_checkpoint': {
    async up(db) {
      await sql`create table projection_checkpoint (
        name text primary key,
        version integer not null,
        position text,
        updated_at timestamptz not null default now()
      )`.execute(db);
    },
  },
};
