import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const galleryMigrations: Migrations = {
  '0050_gallery_gallery': {
    async up(db) {
      await sql`
        create table gallery (
          creator_id uuid primary key,
          version integer not null default 1,
          updated_at timestamptz not null,
          updated_by text not null
        )`.execute(db);
      await sql`
        create table gallery_item (
          creator_id uuid not null references gallery (creator_id),
          place integer not null check (place >= 0),
          generation_id uuid not null,
          primary key (creator_id, place),
          unique (creator_id, generation_id)
        )`.execute(db);
    },
  },
};
