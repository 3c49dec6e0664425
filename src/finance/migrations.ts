import { sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/**
 * Tables of the finance context. Those of the projections `books`, `payouts` and `processor` can be rebuilt from the
 * events. The others cannot: people and workers write `payout_run`, `payout_run_creator`, `payout_file`, `bank_report`,
 * `bank_report_line`, `month_close`, `log_reach`, `earning_*` and `reconciliation_*`.
 */
export const financeMigrations: Migrations = {
  '0101_books': [
    sql`
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
        )`,
    sql`create index book_entry_of_account on book_entry (account, occurred_at, user_id, version, line)`,
    // The general journal has money only.
    sql`create index book_entry_journal on book_entry (occurred_at, user_id, version, line)
        where cents <> 0`,
    sql`create index book_entry_of_creator on book_entry (creator_id, occurred_at, user_id, version, line)
        where account = 2100`,
    sql`create index book_entry_payable on book_entry (payable_at) include (creator_id, cents)
        where account = 2100`,
    sql`
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
        )`,
    sql`create index book_purchase_in_debt on book_purchase (user_id) where debt > 0`,
    sql`
        create table book_sum (
          account smallint not null,
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          credits bigint not null,
          primary key (unit, account, starts_at)
        )`,
    sql`
        create table book_creator_sum (
          creator_id text not null,
          account smallint not null,
          unit text not null check (unit in ('day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, account, creator_id, starts_at)
        )`,
    sql`
        create table book_deferred_month (
          month text not null,
          bought_month text not null,
          cents bigint not null,
          credits bigint not null,
          primary key (month, bought_month)
        )`,
  ],
  '0102_book_entries_by_purchase_month': [
    // For the entries behind the deferred revenue of a month of purchase.
    sql`create index book_entry_of_purchase_month on book_entry (bought_month, occurred_at, user_id, version, line)
        where account = 2000`,
  ],
  '0103_payouts': [
    sql`
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
        )`,
    sql`create index payout_of_run on payout (run_id, creator_id)`,
    sql`create index payout_of_creator on payout (creator_id, drafted_at)`,
    sql`
        create table payout_hold (
          creator_id text primary key,
          until timestamptz not null,
          held_by text not null,
          reason text not null,
          held_at timestamptz not null
        )`,
    sql`
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
        )`,
    sql`create index payout_entry_of_account on payout_entry (account, occurred_at, stream, version, line)`,
    sql`create index payout_entry_journal on payout_entry (occurred_at, stream, version, line)`,
    sql`create index payout_entry_of_creator on payout_entry (creator_id, account, occurred_at) include (cents)`,
    sql`
        create table payout_sum (
          account smallint not null,
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, account, starts_at)
        )`,
  ],
  '0104_payout_runs': [
    sql`
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
        )`,
    sql`create index payout_run_working on payout_run (number) where working`,
    sql`
        create table payout_run_creator (
          run_id uuid not null references payout_run (id),
          creator_id text not null,
          payable_cents bigint not null,
          paid_cents bigint not null,
          payout_id text,
          skipped text,
          primary key (run_id, creator_id),
          check ((payout_id is null) <> (skipped is null))
        )`,
    sql`
        create table bank_report (
          id text primary key,
          act_id uuid not null,
          recorded_by text not null,
          recorded_at timestamptz not null,
          done boolean not null
        )`,
    sql`create index bank_report_open on bank_report (recorded_at, id) where not done`,
    sql`
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
        )`,
    sql`create index bank_report_line_open on bank_report_line (report_id, line) where outcome is null`,
  ],
  '0105_payout_files': [
    sql`alter table payout_run add column files integer not null default 0`,
    sql`alter table payout_run_creator add column file integer check (file >= 0)`,
    sql`
        create index payout_run_creator_of_file on payout_run_creator (run_id, file, creator_id) where file > 0`,
  ],
  '0106_payout_file_rows': [
    sql`
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
        )`,
    // Files of before are known from the acts that made them.
    sql`
        insert into payout_file (run_id, file, made_by, made_at, payouts, amount_cents)
        select subject_id::uuid, (body::jsonb -> 'after' ->> 'file')::integer, actor_id,
          to_timestamp(at_ms / 1000.0), (body::jsonb -> 'after' ->> 'payouts')::integer,
          (body::jsonb -> 'after' ->> 'amount_cents')::bigint
        from admin_act where kind = 'payout.file_made'`,
    sql`
        alter table payout_run_creator add column ending boolean not null default false,
          add column taken_back_file integer`,
    // What the bank has reported is in no later file.
    sql`
        create index bank_report_line_of_payout on bank_report_line (payout_id)
          where outcome is distinct from 'refused'`,
  ],
  '0107_processor': [
    sql`
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
        )`,
    sql`create unique index processor_transaction_version on processor_transaction (version)`,
    sql`create index processor_transaction_time on processor_transaction (created_at, transaction_id)`,
    sql`create index processor_transaction_open on processor_transaction (created_at, transaction_id)
        where session_id is null and kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed')`,
    sql`
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
        )`,
    sql`create index processor_entry_of_account on processor_entry (account, occurred_at, version, line)`,
    sql`create index processor_entry_journal on processor_entry (occurred_at, version, line)`,
    sql`
        create table processor_sum (
          account smallint not null,
          unit text not null check (unit in ('hour', 'day', 'month')),
          starts_at timestamptz not null,
          cents bigint not null,
          primary key (unit, account, starts_at)
        )`,
    // Few events are not those of accounts. Followers of the others must not read all events to find none.
    sql`create index event_of_few on event (xid, position)
        where not starts_with(stream, 'creditAccount-')`,
    // The ledger's side of the comparison with the processor, by purchase.
    sql`create index book_entry_cash on book_entry (lot_id) where account in (1010, 1020, 1030)`,
  ],
  '0110_closed_months': [
    sql`
        create table book_closed_month (
          month text primary key,
          version integer not null,
          closed_at timestamptz not null,
          closed_by text not null,
          balances jsonb not null
        )`,
  ],
  '0140_book_entries_payable_by_creator': [
    // The lines of a creator's statement.
    sql`create index book_entry_payable_of_creator on book_entry (creator_id, payable_at, user_id, version, line)
        where account = 2100`,
  ],
  '0143_creator_earnings': [
    sql`
        create table earning_position (
          only_row boolean primary key default true check (only_row),
          stream text not null,
          version integer not null,
          event_id uuid not null
        )`,
    sql`
        create table earning_head (
          creator_id text primary key,
          version integer not null
        )`,
  ],
  '0144_reconciliation': [
    sql`
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
        )`,
    // A column, because the database has statistics of it: few transactions differ.
    sql`
        alter table processor_transaction add column differs boolean generated always as (
          kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed', 'other')
            and gross_cents <> matched_cents
        ) stored`,
    sql`create index processor_transaction_differing on processor_transaction (created_at, transaction_id)
        where differs`,
    sql`create index processor_transaction_of_payment on processor_transaction (payment_intent_id)
        where payment_intent_id is not null`,
    sql`create index processor_transaction_of_session on processor_transaction (session_id)
        where session_id is not null`,
    sql`
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
        )`,
    sql`create index reconciliation_gap_open on reconciliation_gap (occurred_at, user_id, version, line)
        where ended_at is null`,
    sql`create index reconciliation_gap_of_session on reconciliation_gap (session_id)
        where ended_at is null`,
    sql`create index reconciliation_gap_ended on reconciliation_gap (ended_at)
        where ended_at is not null`,
    sql`
        create table reconciliation_session (
          transaction_id text primary key,
          session_id text,
          looked_up_at timestamptz not null
        )`,
    sql`
        create table reconciliation_run (
          name text primary key,
          next_at timestamptz not null,
          ran_at timestamptz,
          failed_at timestamptz,
          compared_to timestamptz
        )`,
  ],
  '0152_processor_other_shops': [
    sql`alter table processor_transaction add column disowned_version integer`,
    // Another shop on the same account may have many transactions: none of them is open or differs.
    sql`drop index processor_transaction_open`,
    sql`create index processor_transaction_open on processor_transaction (created_at, transaction_id)
        where session_id is null and disowned_version is null
          and kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed')`,
    sql`alter table processor_transaction drop column differs`,
    sql`
        alter table processor_transaction add column differs boolean generated always as (
          kind in ('charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed', 'other')
            and gross_cents <> matched_cents and disowned_version is null
        ) stored`,
    sql`create index processor_transaction_differing on processor_transaction (created_at, transaction_id)
        where differs`,
    sql`create index processor_transaction_disowned on processor_transaction (disowned_version)
        where disowned_version is not null`,
  ],
  '0154_finance_salts': [
    // Acts have the salted hashes of these rows. Rows of before have no salt.
    sql`alter table bank_report add column salt text`,
  ],
  '0160_closed_months_by_rule': [
    // The months so far were closed by version 1 of the event, whose rows have none.
    sql`alter table book_closed_month add column creator_share jsonb`,
  ],
  '0161_month_closes': [
    sql`
        create table month_close (
          id uuid primary key,
          month text not null,
          figures text not null,
          asked_by text not null,
          asked_at timestamptz not null,
          state text not null default 'waiting' check (state in ('waiting', 'closed', 'changed', 'refused')),
          found text,
          obstacle text
        )`,
    sql`create unique index month_close_waiting on month_close (month) where state = 'waiting'`,
    sql`create index month_close_of_month on month_close (month, asked_at)`,
    sql`
        create table log_reach (
          name text primary key,
          complete_until timestamptz
        )`,
  ],
  '0162_books_follow_revenue': [
    // The books read what revenue has posted, and keep no state of their own for it.
    sql`
        alter table book_purchase drop column settled_credits, drop column earning_credits, drop column debt,
          drop column reversal_id, drop column repayments`,
  ],
};
