import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const httpMigrations: Migrations = {
  '0005_platform_rate_limit': {
    async up(db) {
      await sql`
        create unlogged table rate_limit (
          key text primary key,
          window_start timestamptz not null,
          hits integer not null
        ) with (fillfactor = 70)`.execute(db);
    },
  },
};
