import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const creatorMigrations: Migrations = {
  '0030_creators_creator': {
    async up(db) {
      await sql`
        create table creator (
          id uuid primary key,
          clerk_id text unique,
          username text not null unique check (username ~ '^[a-z0-9][a-z0-9_.-]{0,49}$'),
          name text not null,
          email text not null,
          instagram text not null,
          twitter text,
          onlyfans text,
          bio text not null default '',
          style text,
          profile jsonb,
          creator_status text not null check (creator_status in ('pending', 'active', 'rejected')),
          is_visible boolean not null default true,
          is_featured boolean not null default true,
          deployment_name text unique,
          lora_id text unique,
          created_at timestamptz not null,
          updated_at timestamptz not null
        )`.execute(db);
      await sql`
        create index creator_public on creator (created_at, id)
        where creator_status = 'active' and is_visible`.execute(db);
    },
  },
  '0031_creators_terms': {
    async up(db) {
      await sql`
        create table creator_terms_acceptance (
          clerk_id text not null,
          terms_version text not null,
          accepted_at timestamptz not null,
          primary key (clerk_id, terms_version)
        )`.execute(db);
    },
  },
  '0032_creators_by_age': {
    async up(db) {
      // The table's readers get pages of all creators, oldest or newest first.
      await sql`create index creator_by_age on creator (created_at, id)`.execute(db);
    },
  },
  '0033_creators_withdrawal': {
    async up(db) {
      // Unarchiving can therefore never reopen a withdrawn page.
      await sql`
        alter table creator
          add column withdrawn_at timestamptz,
          add constraint creator_withdrawn check (withdrawn_at is null or not is_visible)`.execute(db);
      await sql`
        create table creator_payout_record (
          creator_id uuid primary key,
          name text not null,
          email text not null,
          kept_until timestamptz not null
        )`.execute(db);
    },
  },
};
