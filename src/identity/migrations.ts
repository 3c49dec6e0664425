import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const identityMigrations: Migrations = {
  '0010_identity_app_user': [
    sql`
        create table app_user (
          id text primary key,
          email text,
          name text,
          image_url text,
          roles text[] not null default '{}' check (roles <@ array['admin', 'finance', 'auditor']),
          created_at timestamptz not null,
          updated_at timestamptz,
          deleted_at timestamptz
        )`,
  ],
  '0011_identity_bonus_claims': [
    sql`
        alter table app_user
          add column email_verified boolean,
          add column address_hmac bytea,
          add column missing_at timestamptz,
          add column looked_up_at timestamptz`,
    // Users who were mirrored before: the next start of the app claims for them. Empty afterwards.
    sql`
        create index app_user_unclaimed on app_user (id)
        where email is not null and email_verified is null`,
    sql`
        create table bonus_claim (
          address_hmac bytea primary key,
          user_id text not null,
          claimed_at timestamptz not null
        )`,
    sql`create index bonus_claim_user on bonus_claim (user_id)`,
    sql`
        create table bonus_claim_key (
          single boolean primary key default true check (single),
          fingerprint text not null,
          since timestamptz not null
        )`,
  ],
  '0012_identity_closing': [
    // Deleted users whose erasure has not begun: those that were deleted at the provider.
    sql`alter table app_user add column closing_began_at timestamptz`,
    sql`
        create index app_user_deleted on app_user (deleted_at)
        where deleted_at is not null and closing_began_at is null`,
  ],
  '0015_identity_search': [
    sql`create extension if not exists pg_trgm`,
    // For admins: the newest users, and users by a part of the address or name.
    sql`create index app_user_by_age on app_user (created_at desc, id desc)`,
    sql`
        create index app_user_search on app_user using gin (email gin_trgm_ops, name gin_trgm_ops)`,
  ],
};
