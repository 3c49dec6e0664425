import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const galleryMigrations: Migrations = {
  '0050_gallery_gallery': [
    sql`
        create table gallery (
          creator_id uuid primary key,
          version integer not null default 1,
          updated_at timestamptz not null,
          updated_by text not null
        )`,
    sql`
        create table gallery_item (
          creator_id uuid not null references gallery (creator_id),
          place integer not null check (place >= 0),
          generation_id uuid not null,
          primary key (creator_id, place),
          unique (creator_id, generation_id)
        )`,
  ],
  '0051_gallery_set_aside': [
    sql`
        create table gallery_set_aside (
          creator_id uuid not null,
          generation_id uuid not null,
          place integer,
          hidden_at timestamptz,
          taken_down_at timestamptz,
          primary key (creator_id, generation_id),
          check (hidden_at is not null or taken_down_at is not null)
        )`,
  ],
  '0053_gallery_moderated': [
    sql`
        alter table gallery_set_aside
          add column moderated_at timestamptz,
          drop constraint gallery_set_aside_check,
          add constraint gallery_set_aside_reason check (num_nonnulls(hidden_at, taken_down_at, moderated_at) > 0)`,
  ],
  '0055_gallery_newest': [
    // A search looks at the newest pictures of all galleries: ids of generations begin with the time.
    sql`create index gallery_item_newest on gallery_item (generation_id, creator_id)`,
  ],
  '0054_gallery_page_changes': {
    async up(db) {
      // Instances keep drawn pages, and forget them together. Sent when the change is committed, each name once.
      await sql`
        create function gallery_announce_pages() returns trigger language plpgsql as $$
        begin
          perform pg_notify('page_changed', 'creator:' || coalesce(new.creator_id, old.creator_id));
          perform pg_notify('page_changed', 'creators');
          return null;
        end $$`.execute(db);
      for (const table of ['gallery_item', 'gallery_set_aside']) {
        await sql`
          create trigger gallery_announce_pages after insert or update or delete on ${sql.id(table)}
          for each row execute function gallery_announce_pages()`.execute(db);
      }
    },
  },
  '0154_gallery_salts': [
    // Acts have the salted hashes of these rows. Rows of before have no salt.
    sql`alter table gallery add column salt text`,
  ],
};
