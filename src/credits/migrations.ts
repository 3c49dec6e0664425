import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/**
 * Tables of the credit context. All but `ledger_seal`, `admin_grant`, `admin_grant_day` and `credit_proposal` can be
 * rebuilt from the events.
 */
export const creditMigrations: Migrations = {
  '0020_credits_projections': [
    sql`
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
        )`,
    sql`
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
        )`,
  ],
  '0021_credits_purchases': [
    sql`
        alter table credit_balance
          add column debt bigint not null default 0 check (debt >= 0),
          alter column daily type bigint,
          alter column bonus type bigint,
          alter column paid type bigint,
          alter column lifetime_earned type bigint,
          alter column lifetime_spent type bigint`,
    sql`
        alter table credit_transaction
          alter column amount type bigint,
          alter column balance_after type bigint`,
  ],
  '0025_credits_snapshots': [
    sql`
        create table credit_account_snapshot (
          user_id text primary key,
          fold_version integer not null,
          version integer not null,
          hash text not null,
          state text not null
        )`,
  ],
  '0026_credits_seals': [
    // No projection: a seal that is gone cannot be made again. The row is what is signed; the heads are in the file.
    sql`
        create table ledger_seal (
          number integer primary key check (number > 0),
          line text not null,
          hash text not null,
          sealed_at timestamptz not null,
          published_at timestamptz
        )`,
  ],
  '0027_credits_purchase_times': [
    // For the comparison with the payment processor: purchases and reversals by the hashed time of the event.
    sql`
        create index event_purchase_time on event ((metadata->>'occurredAt') collate "C", stream, version)
        where type in ('CreditsPurchased', 'PurchaseReversed', 'PurchaseReinstated')`,
  ],
  '0028_credits_event_search': {
    async up(db) {
      // For searches by auditors (`SEARCHED_FIELDS`). These indexes summarise ranges of 32 pages: they are small, and an
      // append costs next to nothing.
      for (const [name, expression] of [
        ['actor', `(metadata->>'actorId')`],
        ['correlation', `(metadata->>'correlationId')`],
        ['lot', `(data->>'lotId')`],
        [
          'subject',
          `coalesce(data->>'deductionId', data->>'adjustmentId', data->>'reversalId', data->>'owedForLotId')`,
        ],
      ] as const) {
        await sql`
          create index ${sql.id(`event_search_${name}`)} on event
          using brin ((${sql.raw(expression)}) text_bloom_ops (n_distinct_per_range = 400))
          with (pages_per_range = 32, autosummarize = on)`.execute(db);
      }
    },
  },
  '0029_credits_seals_append_only': [
    // The time of its publication is the only part of a seal that changes.
    sql`
        create trigger ledger_seal_append_only
        before update of number, line, hash, sealed_at or delete or truncate on ledger_seal
        for each statement execute function refuse_change()`,
    sql`alter table ledger_seal enable always trigger ledger_seal_append_only`,
  ],
  '0090_credits_admin_grants': [
    // What each admin may still grant on a UTC day. The ledger has the grants; this enforces the limit before them.
    sql`
        create table admin_grant_day (
          admin_id text not null,
          day text not null,
          credits bigint not null check (credits > 0),
          primary key (admin_id, day)
        )`,
    sql`
        create table admin_grant (
          admin_id text not null,
          day text not null,
          user_id text not null,
          grant_id text not null,
          amount bigint not null check (amount > 0),
          primary key (admin_id, day, user_id, grant_id)
        )`,
  ],
  '0061_credits_debts': [
    // For admins: the few accounts that owe credits.
    sql`create index credit_balance_debt on credit_balance (user_id) where debt > 0`,
  ],
  '0062_credits_proposals': [
    // For admins: the seal that covers an event.
    sql`create index ledger_seal_time on ledger_seal (sealed_at, number)`,
    sql`
        create table credit_proposal (
          id uuid primary key,
          user_id text not null,
          kind text not null check (kind in ('grant', 'adjust')),
          amount bigint not null check (amount > 0),
          reason text not null,
          proposed_by text not null,
          proposed_at timestamptz not null,
          state text not null check (state in ('open', 'approved', 'declined')),
          decided_by text check (decided_by <> proposed_by and decided_by <> user_id),
          decided_at timestamptz,
          applied_at timestamptz,
          check ((state = 'open') = (decided_by is null)),
          check ((decided_by is null) = (decided_at is null)),
          check (applied_at is null or state = 'approved')
        )`,
    sql`create index credit_proposal_open on credit_proposal (proposed_at, id) where state = 'open'`,
    sql`create index credit_proposal_decided on credit_proposal (decided_at desc, id desc) where state <> 'open'`,
    sql`create index credit_proposal_of_user on credit_proposal (user_id, proposed_at desc)`,
    // Approved by an admin, and not in the ledger yet.
    sql`
        create index credit_proposal_unapplied on credit_proposal (decided_at)
        where state = 'approved' and applied_at is null`,
  ],
  '0102_credits_held': [
    // For admins: what all accounts hold, without reading all accounts. By expiry first, because days that have
    // passed stay as long as an account has not been used since.
    sql`
        create table credits_held (
          kind text not null,
          expires_at timestamptz not null,
          credits bigint not null,
          primary key (expires_at, kind)
        )`,
    sql`
        insert into credits_held
        select kind, expires_at, sum(credits)
        from credit_balance cross join lateral (
          values ('daily', coalesce(daily_expires_at, 'infinity'), daily), ('bonus', 'infinity', bonus),
            ('paid', 'infinity', paid)
        ) as held (kind, expires_at, credits)
        group by kind, expires_at having sum(credits) <> 0`,
  ],
};
