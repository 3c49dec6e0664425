import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/** Tables of the revenue context. All of them belong to one projection and can be rebuilt from the events. */
export const revenueMigrations: Migrations = {
  '0070_revenue_projection': {
    async up(db) {
      await sql`
        create table creator_earning (
          user_id text not null,
          version integer not null,
          line integer not null,
          kind text not null check (kind in ('earning', 'correction', 'restoration')),
          creator_id text not null,
          deduction_id text not null,
          lot_id text not null,
          reversal_id text,
          credits bigint not null,
          unit_price_cents bigint not null,
          creator_cents bigint not null,
          platform_cents bigint not null,
          occurred_at timestamptz not null,
          month text not null,
          payable_at timestamptz not null,
          primary key (user_id, version, line),
          check (creator_cents + platform_cents = credits * unit_price_cents)
        )`.execute(db);
      await sql`create index creator_earning_by_creator on creator_earning (creator_id, payable_at)`.execute(db);
      await sql`create index creator_earning_by_lot on creator_earning (user_id, lot_id)`.execute(db);
      await sql`
        create table creator_revenue_month (
          creator_id text not null,
          month text not null,
          paid_generations bigint not null,
          paid_credits bigint not null,
          creator_cents bigint not null,
          platform_cents bigint not null,
          primary key (creator_id, month)
        )`.execute(db);
      await sql`
        create table revenue_debt (
          user_id text not null,
          lot_id text not null,
          debt bigint not null check (debt >= 0),
          reversal_id text,
          primary key (user_id, lot_id)
        )`.execute(db);
    },
  },
  '0071_revenue_purchases': {
    async up(db) {
      await sql`
        alter table creator_earning
          add column own_generation boolean not null default false,
          drop constraint creator_earning_check`.execute(db);
      await sql`
        create table revenue_purchase (
          user_id text not null,
          lot_id text not null,
          credits bigint,
          amount_cents bigint,
          settled_credits bigint not null,
          earning_credits bigint not null,
          debt bigint not null check (debt >= 0),
          reversal_id text,
          primary key (user_id, lot_id)
        )`.execute(db);
      // The next version of the projection, which fills the new table from all events, does not use it.
      await sql`drop table revenue_debt`.execute(db);
    },
  },
};
