import { sql, type Kysely } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

/** Channel on which every committed change of a generation is announced; the payload is its id. */
export const GENERATION_CHANNEL = 'generation_changed';

export const generationMigrations: Migrations = {
  '0040_generation_tables': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        create table generation (
          id uuid primary key,
          user_id text not null,
          creator_id text not null,
          prompt text not null,
          status text not null check (status in ('pending', 'completed', 'failed')),
          model text not null,
          cost integer not null check (cost > 0),
          credit_type_used text,
          prediction_id text,
          output_url text,
          image jsonb,
          error_message text,
          refund_reason text,
          refunded boolean not null default false,
          refund_amount integer,
          refunded_at timestamptz,
          credits_closed_at timestamptz,
          provider_cancel_due boolean not null default false,
          not_before timestamptz not null,
          lease_holder text,
          attempts integer not null default 0,
          drawing_at timestamptz,
          finishing_at timestamptz,
          completed_at timestamptz,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          revision bigint not null default 1,
          check ((status = 'completed') = (image is not null)),
          check ((status = 'completed') = (completed_at is not null)),
          check ((status = 'failed') = (error_message is not null)),
          check ((status = 'failed') = (refund_reason is not null)),
          check (status = 'failed' or not refunded),
          check (status <> 'pending' or credits_closed_at is null)
        )`.execute(db);
      // "At most one active pending generation" is this index, not a check that two requests could both pass.
      await sql`create unique index generation_one_pending_per_user on generation (user_id) where status = 'pending'`.execute(
        db,
      );
      await sql`create unique index generation_prediction on generation (prediction_id)`.execute(db);
      await sql`create index generation_by_user on generation (user_id, created_at desc, id desc)`.execute(db);
      await sql`create index generation_by_creator on generation (creator_id, created_at desc, id desc)`.execute(db);
      // Holds only rows with work left, so that the reconciler's reads do not grow with the history.
      await sql`
        create index generation_open on generation (not_before)
        where status = 'pending' or credits_closed_at is null or provider_cancel_due`.execute(db);

      await sql`
        create function generation_count_change() returns trigger language plpgsql as $$
        begin
          new.revision := old.revision + 1;
          return new;
        end $$`.execute(db);
      await sql`
        create trigger generation_count_change before update on generation
        for each row execute function generation_count_change()`.execute(db);
      await sql`
        create function generation_announce_change() returns trigger language plpgsql as $$
        begin
          perform pg_notify('generation_changed', new.id::text);
          return null;
        end $$`.execute(db);
      await sql`
        create trigger generation_announce_change after insert or update on generation
        for each row execute function generation_announce_change()`.execute(db);

      await sql`
        create table generation_webhook (
          delivery_id text primary key,
          received_at timestamptz not null
        )`.execute(db);
      await sql`create index generation_webhook_age on generation_webhook (received_at)`.execute(db);
    },
  },
  '0041_generation_moderation': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        create table moderation_refusal (
          id uuid primary key,
          user_id text not null,
          creator_id text not null,
          category text not null,
          prompt text not null,
          created_at timestamptz not null
        )`.execute(db);
      await sql`create index moderation_refusal_age on moderation_refusal (created_at desc, id desc)`.execute(db);
      await sql`
        create index generation_refused_by_provider on generation (updated_at desc, id desc)
        where refund_reason = 'fatal_error'`.execute(db);
    },
  },
  '0042_generation_by_age': {
    async up(db: Kysely<unknown>): Promise<void> {
      // Admins' reads of the table name neither user nor creator.
      await sql`create index generation_by_age on generation (created_at desc, id desc)`.execute(db);
    },
  },
  '0043_generation_hidden_and_deleted': {
    async up(db: Kysely<unknown>): Promise<void> {
      // A deleted one keeps its row, for the credits and their audit, and loses what it showed.
      await sql`
        alter table generation
          add column hidden_at timestamptz,
          add column deleted_at timestamptz,
          drop constraint generation_check,
          add constraint generation_image check ((status = 'completed') = (image is not null) or deleted_at is not null),
          add constraint generation_deleted check (deleted_at is null or status <> 'pending')`.execute(db);
      // Deleted ones whose files are still there: after a crash the reconciler goes on with them.
      await sql`
        create index generation_media_due on generation (deleted_at)
        where deleted_at is not null and image is not null`.execute(db);
    },
  },
  '0044_generation_report': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        create table generation_report (
          id uuid primary key,
          generation_id uuid not null,
          creator_id text not null,
          user_id text not null,
          reason text not null,
          note text not null,
          prompt text not null,
          created_at timestamptz not null,
          resolved_at timestamptz,
          resolved_by text,
          resolution text check (resolution in ('dismissed', 'removed')),
          unique (generation_id, user_id),
          check ((resolved_at is null) = (resolution is null) and (resolved_at is null) = (resolved_by is null))
        )`.execute(db);
      await sql`
        create index generation_report_open on generation_report (created_at desc, id desc)
        where resolved_at is null`.execute(db);
      await sql`
        create index generation_report_resolved on generation_report (resolved_at desc, id desc)
        where resolved_at is not null`.execute(db);
    },
  },
  '0045_generation_hidden_media': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`alter table generation add column media_moved_at timestamptz`.execute(db);
      await sql`
        create index generation_media_to_move on generation (hidden_at)
        where hidden_at is not null and media_moved_at is null and deleted_at is null`.execute(db);
      await sql`
        create table generation_media_removal (
          name text primary key,
          remove_at timestamptz not null
        )`.execute(db);
      await sql`create index generation_media_removal_due on generation_media_removal (remove_at)`.execute(db);
    },
  },
  '0046_generation_by_person': {
    async up(db: Kysely<unknown>): Promise<void> {
      // A person's export and the erasure of their account read these tables by user.
      await sql`create index moderation_refusal_by_user on moderation_refusal (user_id, id)`.execute(db);
      await sql`create index generation_report_by_user on generation_report (user_id, id)`.execute(db);
    },
  },
  '0047_generation_closed_owner': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        create table generation_closed_owner (
          user_id text primary key,
          closed_at timestamptz not null,
          erased_at timestamptz
        )`.execute(db);
      await sql`create index generation_closed_owner_open on generation_closed_owner (closed_at) where erased_at is null`.execute(
        db,
      );
      // Finds the image of a stored folder, to tell it from one that a crash has left.
      await sql`
        create index generation_by_media on generation (split_part(image ->> 'url', '/', 3))
        where image is not null`.execute(db);
    },
  },
  '0048_generation_test': {
    async up(db: Kysely<unknown>): Promise<void> {
      // A test is free and moves no credits, so they are closed when it ends. `test_slot` counts towards the day.
      await sql`
        alter table generation
          add column is_test boolean not null default false,
          add column test_day date,
          add column test_slot smallint,
          add column test_rating text check (test_rating in ('good', 'bad')),
          add column test_note text,
          drop constraint generation_cost_check,
          add constraint generation_cost check (cost >= 0),
          add constraint generation_test_cost check (is_test = (cost = 0)),
          add constraint generation_test_credits check (
            not is_test or ((status = 'pending' or credits_closed_at is not null) and not refunded)),
          add constraint generation_test_day check (is_test = (test_day is not null)),
          add constraint generation_test_fields check (
            is_test or (test_slot is null and test_rating is null and test_note is null))`.execute(db);
      // A pending test does not block a paid image, nor the other way round.
      await sql`drop index generation_one_pending_per_user`.execute(db);
      await sql`create unique index generation_one_pending on generation (user_id, is_test) where status = 'pending'`.execute(
        db,
      );
      // The limit of a day is this index, not a count that two starts could both pass.
      await sql`
        create unique index generation_test_slots on generation (user_id, test_day, test_slot)
        where test_slot is not null`.execute(db);
      await sql`create index generation_tests on generation (user_id, created_at desc, id desc) where is_test`.execute(
        db,
      );
    },
  },
  '0049_generation_withheld': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        alter table generation
          add column taken_down_at timestamptz,
          add column withheld_at timestamptz`.execute(db);
      await sql`drop index generation_media_to_move`.execute(db);
      await sql`
        create index generation_media_to_move on generation (least(hidden_at, taken_down_at, withheld_at))
        where least(hidden_at, taken_down_at, withheld_at) is not null and media_moved_at is null
          and deleted_at is null`.execute(db);
      await sql`
        create table generation_take_down (
          id uuid primary key,
          generation_id uuid not null,
          creator_id text not null,
          reason text not null,
          requested_at timestamptz not null,
          due_at timestamptz not null,
          decision text check (decision in ('removed', 'kept', 'taken_back')),
          decided_at timestamptz,
          decided_by text,
          note text not null default '',
          check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null))
        )`.execute(db);
      await sql`
        create unique index generation_take_down_open on generation_take_down (generation_id) where decision is null`.execute(
        db,
      );
      await sql`create index generation_take_down_of_image on generation_take_down (generation_id, requested_at)`.execute(
        db,
      );
      await sql`create index generation_take_down_of_creator on generation_take_down (creator_id)`.execute(db);
      await sql`
        create index generation_take_down_due on generation_take_down (due_at, id) where decision is null`.execute(db);
      await sql`
        create index generation_take_down_decided on generation_take_down (decided_at, id)
        where decision is not null`.execute(db);
    },
  },
};
