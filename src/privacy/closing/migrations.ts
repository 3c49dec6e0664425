import { sql } from 'kysely';
import { type Migrations } from '../../platform/database/database.js';

export const closingMigrations: Migrations = {
  '0085_closing_account_closure': [
    sql`
        create table account_closure (
          id uuid primary key,
          user_id text not null unique,
          requested_by text not null check (requested_by in ('person', 'identity_provider')),
          choice text not null check (choice in ('refund', 'waive')),
          requested_at timestamptz not null,
          steps jsonb not null default '{}',
          not_before timestamptz not null,
          finished_at timestamptz,
          checked_at timestamptz,
          reopened integer not null default 0
        )`,
    sql`create index account_closure_open on account_closure (not_before) where finished_at is null`,
    sql`
        create index account_closure_checked on account_closure (checked_at nulls first, id)
        where finished_at is not null`,
    sql`
        create table account_closure_token (
          token_hash text primary key,
          closure_id uuid not null,
          created_at timestamptz not null
        )`,
  ],
};
