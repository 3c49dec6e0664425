import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/** Tables of the finance context. All of them belong to one projection and can be rebuilt from the events. */
export const financeMigrations: Migrations = {
  '0101_books': {
    async up(db) {
      await sql`
        create table book_entry (
          user_id text not null,
          version integer not null,
          line integer not null,
          account smallint not null,
          event_type text not null,
          occurred_at timestamptz not null,
          cents bigint not null,
          credits bigint not null,
          lot_id text,
          bought_month text,
          deduction_id text,
          creator_id text,
          reversal_id text,
          payable_at timestamptz,
          primary key (user_id, version, line)
        )`.execute(db);
      await sql`create index book_entry_of_account on book_entry (account, occurred_at, user_id, version, line)`.execute(
        db,
      );
      // The general journal has money only.
      await sql`create index book_entry_journal on book_entry (occurred_at, user_id, version, line)
        where cents <> 0`.execute(db);
      await sql`create index book_entry_of_creator on book_entry (creator_id, occurred_at, user_id, version, line)
        where account = 2100`.execute(db);
      await sql`create index book_entry_payable on book_entry (payable_at) include (creator_id, cents)
        where account = 2100`.execute(db);
      await sql`
        create table book_purchase (
          user_id text not null,
          lot_id text not null,
          credits bigint,
          amount_cents bigint,
          settled_credits bigint not null,
          earning_credits bigint not null,
          debt bigint not null check (debt >= 0),
          reversal_id text,
          repayments jsonb not null,
          bought_month text,
          unspent bigint not null,
          reversals jsonb not null,
          primary key (user_id, lot_id)
        )`.execute(db);
      await sql`create index book_purchase_in_debt on book_purchase (user_id) where debt > 0`.execute(db);
      await sql`
        create table book_sum (
          account smallint not null,
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          credits bigint not null,
          primary key (unit, account, starts_at)
        )`.execute(db);
      await sql`
        create table book_creator_sum (
          creator_id text not null,
          account smallint not null,
          unit text not null check (unit in ('day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, account, creator_id, starts_at)
        )`.execute(db);
      await sql`
        create table book_deferred_month (
          month text not null,
          bought_month text not null,
          cents bigint not null,
          credits bigint not null,
          primary key (month, bought_month)
        )`.execute(db);
    },
  },
  '0102_book_entries_by_purchase_month': {
    async up(db) {
      // For the entries behind the deferred revenue of a month of purchase.
      await sql`create index book_entry_of_purchase_month on book_entry (bought_month, occurred_at, user_id, version, line)
        where account = 2000`.execute(db);
    },
  },
};
