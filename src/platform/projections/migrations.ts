import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const projectionMigrations: Migrations = {
  '0002_projections_checkpoint': [
    sql`create table projection_checkpoint (
        name text primary key,
        version integer not null,
        position text,
        updated_at timestamptz not null default now()
      )`,
  ],
  '0006_projections_rebuild': [
    sql`alter table projection_checkpoint add column complete boolean not null default true`,
    sql`create table projection_rebuild (
        name text primary key,
        version integer not null,
        schema text not null,
        position text,
        events bigint not null default 0,
        total bigint not null,
        busy_ms bigint not null default 0,
        started_at timestamptz not null default now()
      )`,
  ],
};
