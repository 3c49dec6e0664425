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
  '0103_payouts': {
    async up(db) {
      await sql`
        create table payout (
          payout_id text primary key,
          creator_id text not null,
          run_id text not null,
          step text not null check (step in ('drafted', 'fixed', 'checked', 'paid', 'failed', 'cancelled')),
          cutoff timestamptz not null,
          payable_cents bigint not null,
          paid_before_cents bigint not null,
          amount_cents bigint not null check (amount_cents > 0),
          minimum_cents bigint not null,
          drafted_by text,
          drafted_at timestamptz not null,
          fixed_at timestamptz,
          checked_by text,
          checked_at timestamptz,
          reference text,
          paid_on text,
          recorded_by text,
          ended_at timestamptz,
          reason text
        )`.execute(db);
      await sql`create index payout_of_run on payout (run_id, creator_id)`.execute(db);
      await sql`create index payout_of_creator on payout (creator_id, drafted_at)`.execute(db);
      await sql`
        create table payout_hold (
          creator_id text primary key,
          until timestamptz not null,
          held_by text not null,
          reason text not null,
          held_at timestamptz not null
        )`.execute(db);
      await sql`
        create table payout_entry (
          stream text not null,
          version integer not null,
          line integer not null,
          account smallint not null,
          event_type text not null,
          occurred_at timestamptz not null,
          cents bigint not null,
          creator_id text not null,
          payout_id text not null,
          primary key (stream, version, line)
        )`.execute(db);
      await sql`create index payout_entry_of_account on payout_entry (account, occurred_at, stream, version, line)`.execute(
        db,
      );
      await sql`create index payout_entry_journal on payout_entry (occurred_at, stream, version, line)`.execute(db);
      await sql`create index payout_entry_of_creator on payout_entry (creator_id, account, occurred_at) include (cents)`.execute(
        db,
      );
      await sql`
        create table payout_sum (
          account smallint not null,
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, account, starts_at)
        )`.execute(db);
    },
  },
  '0104_payout_runs': {
    async up(db) {
      await sql`
        create table payout_run (
          id uuid primary key,
          number integer not null unique,
          cutoff timestamptz not null,
          minimum_cents bigint not null check (minimum_cents > 0),
          step text not null check (step in ('draft', 'fix', 'check', 'cancel')),
          working boolean not null,
          done_until text not null default '',
          drafted_by text,
          drafted_at timestamptz not null,
          draft_act uuid not null,
          fixed_by text,
          fixed_at timestamptz,
          fix_act uuid,
          checked_by text,
          checked_at timestamptz,
          check_act uuid,
          cancelled_by text,
          cancelled_at timestamptz,
          cancel_act uuid,
          cancel_reason text
        )`.execute(db);
      await sql`create index payout_run_working on payout_run (number) where working`.execute(db);
      await sql`
        create table payout_run_creator (
          run_id uuid not null references payout_run (id),
          creator_id text not null,
          payable_cents bigint not null,
          paid_cents bigint not null,
          payout_id text,
          skipped text,
          primary key (run_id, creator_id),
          check ((payout_id is null) <> (skipped is null))
        )`.execute(db);
      await sql`
        create table bank_report (
          id text primary key,
          act_id uuid not null,
          recorded_by text not null,
          recorded_at timestamptz not null,
          done boolean not null
        )`.execute(db);
      await sql`create index bank_report_open on bank_report (recorded_at, id) where not done`.execute(db);
      await sql`
        create table bank_report_line (
          report_id text not null references bank_report (id),
          line integer not null,
          payout_id text not null,
          creator_id text,
          amount_cents bigint not null,
          bank_reference text not null,
          paid_on text not null,
          outcome text check (outcome in ('recorded', 'refused')),
          problem text,
          primary key (report_id, line)
        )`.execute(db);
      await sql`create index bank_report_line_open on bank_report_line (report_id, line) where outcome is null`.execute(
        db,
      );
    },
  },
  '0105_payout_files': {
    async up(db) {
      await sql`alter table payout_run add column files integer not null default 0`.execute(db);
      await sql`alter table payout_run_creator add column file integer check (file >= 0)`.execute(db);
      await sql`
        create index payout_run_creator_of_file on payout_run_creator (run_id, file, creator_id) where file > 0`.execute(
        db,
      );
    },
  },
  '0106_payout_file_rows': {
    async up(db) {
      await sql`
        create table payout_file (
          run_id uuid not null references payout_run (id),
          file integer not null check (file > 0),
          made_by text not null,
          made_at timestamptz not null,
          payouts integer not null,
          amount_cents bigint not null,
          taken_back_by text,
          taken_back_at timestamptz,
          taken_back_reason text,
          primary key (run_id, file)
        )`.execute(db);
      // Files of before are known from the acts that made them.
      await sql`
        insert into payout_file (run_id, file, made_by, made_at, payouts, amount_cents)
        select subject_id::uuid, (body::jsonb -> 'after' ->> 'file')::integer, actor_id,
          to_timestamp(at_ms / 1000.0), (body::jsonb -> 'after' ->> 'payouts')::integer,
          (body::jsonb -> 'after' ->> 'amount_cents')::bigint
        from admin_act where kind = 'payout.file_made'`.execute(db);
      await sql`
        alter table payout_run_creator add column ending boolean not null default false,
          add column taken_back_file integer`.execute(db);
      // What the bank has reported is in no later file.
      await sql`
        create index bank_report_line_of_payout on bank_report_line (payout_id)
          where outcome is distinct from 'refused'`.execute(db);
    },
  },
  '0107_processor': {
    async up(db) {
      await sql`
        create table processor_transaction (
          transaction_id text primary key,
          version integer not null,
          kind text not null,
          gross_cents bigint not null,
          fee_cents bigint not null,
          net_cents bigint not null,
          source_id text,
          order_id text,
          payment_intent_id text,
          created_at timestamptz not null,
          available_on timestamptz not null,
          session_id text,
          reversal_id text,
          matched_cents bigint not null
        )`.execute(db);
      await sql`create unique index processor_transaction_version on processor_transaction (version)`.execute(db);
      await sql`create index processor_transaction_time on processor_transaction (created_at, transaction_id)`.execute(
        db,
      );
      await sql`create index processor_transaction_open on processor_transaction (created_at, transaction_id)
        where session_id is null and kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed')`.execute(
        db,
      );
      await sql`
        create table processor_entry (
          version integer not null,
          line integer not null,
          account smallint not null,
          event_type text not null,
          occurred_at timestamptz not null,
          cents bigint not null,
          transaction_id text not null,
          session_id text,
          reversal_id text,
          primary key (version, line)
        )`.execute(db);
      await sql`create index processor_entry_of_account on processor_entry (account, occurred_at, version, line)`.execute(
        db,
      );
      await sql`create index processor_entry_journal on processor_entry (occurred_at, version, line)`.execute(db);
      await sql`
        create table processor_sum (
          account smallint not null,
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, account, starts_at)
        )`.execute(db);
      // Few events are not those of accounts. Followers of the others must not read all events to find none.
      await sql`create index event_of_few on event (xid, position)
        where not starts_with(stream, 'creditAccount-')`.execute(db);
      // The ledger's side of the comparison with the processor, by purchase.
      await sql`create index book_entry_cash on book_entry (lot_id) where account in (1010, 1020, 1030)`.execute(db);
    },
  },
  '0110_closed_months': {
    async up(db) {
      await sql`
        create table book_closed_month (
          month text primary key,
          version integer not null,
          closed_at timestamptz not null,
          closed_by text not null,
          balances jsonb not null
        )`.execute(db);
    },
  },
  '0140_book_entries_payable_by_creator': {
    async up(db) {
      // The lines of a creator's statement.
      await sql`create index book_entry_payable_of_creator on book_entry (creator_id, payable_at, user_id, version, line)
        where account = 2100`.execute(db);
    },
  },
  '0143_creator_earnings': {
    async up(db) {
      await sql`
        create table earning_position (
          only_row boolean primary key default true check (only_row),
          stream text not null,
          version integer not null,
          event_id uuid not null
        )`.execute(db);
      await sql`
        create table earning_head (
          creator_id text primary key,
          version integer not null
        )`.execute(db);
    },
  },
  '0144_reconciliation': {
    async up(db) {
      await sql`
        create table processor_kind_sum (
          kind text not null,
          unit text not null check (unit in ('day', 'month')),
          starts_at timestamptz not null,
          transactions bigint not null,
          gross_cents bigint not null,
          fee_cents bigint not null,
          matched bigint not null,
          matched_cents bigint not null,
          primary key (unit, starts_at, kind)
        )`.execute(db);
      // A column, because the database has statistics of it: few transactions differ.
      await sql`
        alter table processor_transaction add column differs boolean generated always as (
          kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed', 'other')
            and gross_cents <> matched_cents
        ) stored`.execute(db);
      await sql`create index processor_transaction_differing on processor_transaction (created_at, transaction_id)
        where differs`.execute(db);
      await sql`create index processor_transaction_of_payment on processor_transaction (payment_intent_id)
        where payment_intent_id is not null`.execute(db);
      await sql`create index processor_transaction_of_session on processor_transaction (session_id)
        where session_id is not null`.execute(db);
      await sql`
        create table reconciliation_gap (
          user_id text not null,
          version integer not null,
          line integer not null,
          kind text not null,
          session_id text not null,
          reversal_id text,
          cents bigint not null,
          occurred_at timestamptz not null,
          ended_at timestamptz,
          primary key (user_id, version, line)
        )`.execute(db);
      await sql`create index reconciliation_gap_open on reconciliation_gap (occurred_at, user_id, version, line)
        where ended_at is null`.execute(db);
      await sql`create index reconciliation_gap_of_session on reconciliation_gap (session_id)
        where ended_at is null`.execute(db);
      await sql`create index reconciliation_gap_ended on reconciliation_gap (ended_at)
        where ended_at is not null`.execute(db);
      await sql`
        create table reconciliation_session (
          transaction_id text primary key,
          session_id text,
          looked_up_at timestamptz not null
        )`.execute(db);
      await sql`
        create table reconciliation_run (
          name text primary key,
          next_at timestamptz not null,
          ran_at timestamptz,
          failed_at timestamptz,
          compared_to timestamptz
        )`.execute(db);
    },
  },
  '0152_processor_other_shops': {
    async up(db) {
      await sql`alter table processor_transaction add column disowned_version integer`.execute(db);
      // Another shop on the same account may have many transactions: none of them is open or differs.
      await sql`drop index processor_transaction_open`.execute(db);
      await sql`create index processor_transaction_open on processor_transaction (created_at, transaction_id)
        where session_id is null and disowned_version is null
          and kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed')`.execute(db);
      await sql`alter table processor_transaction drop column differs`.execute(db);
      await sql`
        alter table processor_transaction add column differs boolean generated always as (
          kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed', 'other')
            and gross_cents <> matched_cents and disowned_version is null
        ) stored`.execute(db);
      await sql`create index processor_transaction_differing on processor_transaction (created_at, transaction_id)
        where differs`.execute(db);
      await sql`create index processor_transaction_disowned on processor_transaction (disowned_version)
        where disowned_version is not null`.execute(db);
    },
  },
  '0154_finance_salts': {
    async up(db) {
      // Acts have the salted hashes of these rows. Rows of before have no salt.
      await sql`alter table bank_report add column salt text`.execute(db);
    },
  },
  '0160_closed_months_by_rule': {
    async up(db) {
      // The months so far were closed by version 1 of the event, whose rows have none.
      await sql`alter table book_closed_month add column creator_share jsonb`.execute(db);
    },
  },
  '0161_month_closes': {
    async up(db) {
      await sql`
        create table month_close (
          id uuid primary key,
          month text not null,
          figures text not null,
          asked_by text not null,
          asked_at timestamptz not null,
          state text not null default 'waiting' check (state in ('waiting', 'closed', 'changed', 'refused')),
          found text,
          obstacle text
        )`.execute(db);
      await sql`create unique index month_close_waiting on month_close (month) where state = 'waiting'`.execute(db);
      await sql`create index month_close_of_month on month_close (month, asked_at)`.execute(db);
      await sql`
        create table log_reach (
          name text primary key,
          complete_until timestamptz
        )`.execute(db);
    },
  },
  '0162_books_follow_revenue': {
    async up(db) {
      // The books read what revenue has posted, and keep no state of their own for it.
      await sql`
        alter table book_purchase drop column settled_credits, drop column earning_credits, drop column debt,
          drop column reversal_id, drop column repayments`.execute(db);
    },
  },
};
