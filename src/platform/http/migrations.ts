import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const httpMigrations: Migrations = {
  '0005_platform_rate_limit': [
    sql`
        create unlogged table rate_limit (
          key text primary key,
          window_start timestamptz not null,
          hits integer not null
        ) with (fillfactor = 70)`,
  ],
  '0007_platform_sliding_rate_limit': [
    // The counters of fixed windows are worth a minute at most, so they are not converted.
    sql`drop table rate_limit`,
    sql`
        create unlogged table rate_limit (
          key text primary key,
          hits timestamptz[] not null,
          refused boolean not null default false,
          expires_at timestamptz not null
        ) with (fillfactor = 70)`,
    // Inline: the longest list is 2 kB, and is written with each request.
    sql`alter table rate_limit alter column hits set storage plain`,
  ],
};
