import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/** Tables of the credit context; all of them are projections and can be made anew from the events. */
export const creditMigrations: Migrations = {
  '0020_credits_projections': {
    async up(db) {
      await sql`
        create table credit_balance (
          user_id text primary key,
          version integer not null,
          opened boolean not null,
          daily integer not null check (daily >= 0),
          daily_expires_at timestamptz,
          bonus integer not null check (bonus >= 0),
          paid integer not null check (paid >= 0),
          lifetime_earned integer not null,
          lifetime_spent integer not null,
          last_daily_grant text
        )`.execute(db);
      await sql`
        create table credit_transaction (
          user_id text not null,
          version integer not null,
          id uuid not null,
          created_at timestamptz not null,
          description text not null,
          transaction_type text not null,
          amount integer not null,
          balance_after integer not null check (balance_after >= 0),
          reference_id text,
          creator_id text,
          primary key (user_id, version)
        )`.execute(db);
    },
  },
};
