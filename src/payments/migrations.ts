import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const paymentMigrations: Migrations = {
  '0060_payments_tables': [
    sql`
        create table credit_bundle (
          id text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
          name text not null,
          credits integer not null check (credits > 0),
          price_cents integer not null check (price_cents >= 50),
          description text not null,
          popular boolean not null default false,
          on_sale boolean not null default true
        )`,
    sql`
        insert into credit_bundle (id, name, credits, price_cents, description, popular) values
          ('basic', 'Basic', 100, 1000, 'Enough for 10 images', false),
          ('popular', 'Popular', 250, 2500, 'Enough for 25 images', true),
          ('premium', 'Premium', 750, 7500, 'Enough for 75 images', false)`,

    sql`
        create table checkout (
          id uuid primary key,
          user_id text not null,
          bundle_id text not null,
          bundle_name text not null,
          credits integer not null check (credits > 0),
          amount_cents integer not null check (amount_cents > 0),
          currency text not null,
          status text not null check (status in ('creating', 'open', 'processing', 'credited', 'failed', 'expired')),
          return_origin text not null,
          session_id text unique,
          url text,
          payment_intent_id text unique,
          receipt_url text,
          expires_at timestamptz not null,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          credited_at timestamptz,
          check ((status = 'credited') = (credited_at is not null)),
          check (status in ('creating', 'expired', 'failed') or session_id is not null)
        )`,
    // One open offer of a kind: a double click, a retry and a second tab all lead to the same session.
    sql`
        create unique index checkout_one_open on checkout (user_id, bundle_id, credits, amount_cents, return_origin)
        where status in ('creating', 'open')`,
    sql`create index checkout_unfinished on checkout (expires_at) where status in ('creating', 'open', 'processing')`,
    sql`create index checkout_purchases on checkout (user_id, credited_at desc, id desc) where credited_at is not null`,

    sql`
        create table payment_reversal (
          object_id text primary key,
          reversal_id text not null,
          session_id text not null,
          kind text not null check (kind in ('refund', 'dispute')),
          amount_cents integer not null check (amount_cents > 0),
          state text not null,
          stands boolean not null,
          updated_at timestamptz not null
        )`,
    sql`create index payment_reversal_by_session on payment_reversal (session_id)`,

    sql`
        create table admin_refund (
          id uuid primary key,
          session_id text not null,
          user_id text not null,
          credits integer not null check (credits > 0),
          amount_cents integer not null check (amount_cents > 0),
          actor_id text not null,
          reason text not null,
          status text not null check (status in ('reserving', 'reserved', 'refunded', 'releasing', 'released', 'refused')),
          refund_id text unique,
          not_before timestamptz not null,
          attempts integer not null default 0,
          last_error text,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          check ((status = 'refunded') = (refund_id is not null))
        )`,
    // Two admins at once: the second one is told, instead of both refunding what one lot holds.
    sql`
        create unique index admin_refund_one_open on admin_refund (session_id)
        where status in ('reserving', 'reserved', 'releasing')`,
    sql`create index admin_refund_by_session on admin_refund (session_id)`,

    sql`
        create table payment_event (
          id text primary key,
          type text not null,
          occurred_at timestamptz not null,
          object_id text not null,
          payment_intent_id text,
          received_at timestamptz not null,
          handled_at timestamptz,
          not_before timestamptz not null,
          attempts integer not null default 0,
          last_error text
        )`,
    sql`create index payment_event_open on payment_event (not_before) where handled_at is null`,
    sql`create index payment_event_age on payment_event (received_at)`,

    sql`
        create table payment_problem (
          subject text not null,
          kind text not null,
          what text not null,
          first_seen_at timestamptz not null,
          last_seen_at timestamptz not null,
          resolved_at timestamptz,
          primary key (subject, kind)
        )`,
    sql`create index payment_problem_open on payment_problem (last_seen_at) where resolved_at is null`,

    sql`
        create table payment_reconciliation (
          name text primary key,
          succeeded_at timestamptz not null
        )`,
  ],
  '0061_payments_audit_indexes': [
    // The audit of the ledger reads a user's checkouts, and all users in turn.
    sql`create index checkout_of_user on checkout (user_id, id) where session_id is not null`,
    // What is not at its end is looked at every hour, few among all that ever were.
    sql`create index payment_reversal_by_state on payment_reversal (state, session_id)`,
  ],
  '0062_payments_bundle_policy': [
    // Prices are events of the stream `policy`. This is the version of the event that a row shows.
    sql`alter table credit_bundle add column policy_version integer`,
  ],
  '0063_payments_closed_buyer': [
    sql`create table payment_closed_buyer (user_id text primary key, closed_at timestamptz not null)`,
    // A closing ends the checkouts of one user, and looks for those that were opened meanwhile.
    sql`create index checkout_open_of_user on checkout (user_id) where status in ('creating', 'open')`,
  ],
  '0092_payments_refund_acts': [
    // The act of the admin who ordered the refund: the causation of its events.
    sql`alter table admin_refund add column act_id uuid`,
  ],
  '0092_payments_refunds_by_act': [
    sql`create unique index admin_refund_act on admin_refund (act_id) where act_id is not null`,
  ],
  '0066_payments_suspended_buyer': [
    sql`create table payment_suspended_buyer (user_id text primary key, until timestamptz)`,
  ],
  '0145_payments_open_events': [
    // The next try of a payment.
    sql`create index payment_event_open_of_payment on payment_event (payment_intent_id)
        where handled_at is null and payment_intent_id is not null`,
    sql`create index payment_event_open_of_object on payment_event (object_id) where handled_at is null`,
  ],
  '0151_payments_other_shops': [
    sql`
        create table payment_owner (
          payment_intent_id text primary key,
          is_ours boolean not null,
          asked_at timestamptz not null
        )`,
    sql`create table payment_unreadable (object_id text primary key, since timestamptz not null)`,
    sql`alter table payment_event add column unreadable boolean not null default false`,
    sql`alter table payment_problem add column dismissed_at timestamptz`,
  ],
  '0177_payments_sessionless_checkouts': [
    // For the archive of a person: the few that the processor refused or did not answer.
    sql`create index checkout_of_user_without_session on checkout (user_id, id) where session_id is null`,
  ],
};
