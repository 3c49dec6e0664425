import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/** Tables of the audit. When all are emptied, the continuous verification starts at the first event again. */
export const auditMigrations: Migrations = {
  '0080_audit_continuous_verification': {
    async up(db) {
      await sql`
        create table ledger_verification (
          one boolean primary key default true check (one),
          position text,
          stream text,
          version integer,
          event_id uuid,
          events bigint not null default 0,
          verified_until timestamptz,
          succeeded_at timestamptz,
          charges_until timestamptz,
          charges_until_id uuid,
          purchases_until timestamptz,
          purchases_until_id uuid
        )`.execute(db);
      await sql`insert into ledger_verification default values`.execute(db);
      await sql`
        create table verified_account (
          user_id text primary key,
          version integer not null,
          state text,
          checked_at timestamptz,
          pending_since timestamptz
        )`.execute(db);
      // Accounts that must be verified completely, and accounts whose balance was not comparable yet. Both are few.
      await sql`create index verified_account_suspect on verified_account (checked_at) where state is null`.execute(db);
      await sql`create index verified_account_pending on verified_account (user_id) where pending_since is not null`.execute(
        db,
      );
      await sql`
        create table ledger_problem (
          subject text not null,
          place integer not null,
          stream text not null,
          version integer,
          kind text not null,
          what text not null,
          found_at timestamptz not null,
          primary key (subject, place)
        )`.execute(db);
      await sql`create index checkout_by_credit on checkout (credited_at, id) where credited_at is not null`.execute(
        db,
      );
    },
  },
};
