import { sql, type Kysely } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

/** Channel of folders of pictures: with `+` one that is withheld from now on, with `-` one that is served again. */
export const WITHHELD_CHANNEL = 'picture_withheld';

/** Channel on which every committed change of a generation is announced; the payload is its id. */
export const GENERATION_CHANNEL = 'generation_changed';

export const generationMigrations: Migrations = {
  '0040_generation_tables': [
    sql`
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
        )`,
    // "At most one active pending generation" is this index, not a check that two requests could both pass.
    sql`create unique index generation_one_pending_per_user on generation (user_id) where status = 'pending'`,
    sql`create unique index generation_prediction on generation (prediction_id)`,
    sql`create index generation_by_user on generation (user_id, created_at desc, id desc)`,
    sql`create index generation_by_creator on generation (creator_id, created_at desc, id desc)`,
    // Holds only rows with work left, so that the reconciler's reads do not grow with the history.
    sql`
        create index generation_open on generation (not_before)
        where status = 'pending' or credits_closed_at is null or provider_cancel_due`,

    sql`
        create function generation_count_change() returns trigger language plpgsql as $$
        begin
          new.revision := old.revision + 1;
          return new;
        end $$`,
    sql`
        create trigger generation_count_change before update on generation
        for each row execute function generation_count_change()`,
    sql`
        create function generation_announce_change() returns trigger language plpgsql as $$
        begin
          perform pg_notify('generation_changed', new.id::text);
          return null;
        end $$`,
    sql`
        create trigger generation_announce_change after insert or update on generation
        for each row execute function generation_announce_change()`,

    sql`
        create table generation_webhook (
          delivery_id text primary key,
          received_at timestamptz not null
        )`,
    sql`create index generation_webhook_age on generation_webhook (received_at)`,
  ],
  '0041_generation_moderation': [
    sql`
        create table moderation_refusal (
          id uuid primary key,
          user_id text not null,
          creator_id text not null,
          category text not null,
          prompt text not null,
          created_at timestamptz not null
        )`,
    sql`create index moderation_refusal_age on moderation_refusal (created_at desc, id desc)`,
    sql`
        create index generation_refused_by_provider on generation (updated_at desc, id desc)
        where refund_reason = 'fatal_error'`,
  ],
  '0042_generation_by_age': [
    // Admins' reads of the table name neither user nor creator.
    sql`create index generation_by_age on generation (created_at desc, id desc)`,
  ],
  '0043_generation_hidden_and_deleted': [
    // A deleted one keeps its row, for the credits and their audit, and loses what it showed.
    sql`
        alter table generation
          add column hidden_at timestamptz,
          add column deleted_at timestamptz,
          drop constraint generation_check,
          add constraint generation_image check ((status = 'completed') = (image is not null) or deleted_at is not null),
          add constraint generation_deleted check (deleted_at is null or status <> 'pending')`,
    // Deleted ones whose files are still there: after a crash the cleaner goes on with them.
    sql`
        create index generation_media_due on generation (deleted_at)
        where deleted_at is not null and image is not null`,
  ],
  '0044_generation_report': [
    sql`
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
        )`,
    sql`
        create index generation_report_open on generation_report (created_at desc, id desc)
        where resolved_at is null`,
    sql`
        create index generation_report_resolved on generation_report (resolved_at desc, id desc)
        where resolved_at is not null`,
  ],
  '0045_generation_hidden_media': [
    sql`alter table generation add column media_moved_at timestamptz`,
    sql`
        create index generation_media_to_move on generation (hidden_at)
        where hidden_at is not null and media_moved_at is null and deleted_at is null`,
    sql`
        create table generation_media_removal (
          name text primary key,
          remove_at timestamptz not null
        )`,
    sql`create index generation_media_removal_due on generation_media_removal (remove_at)`,
  ],
  '0046_generation_by_person': [
    // A person's export and the erasure of their account read these tables by user.
    sql`create index moderation_refusal_by_user on moderation_refusal (user_id, id)`,
    sql`create index generation_report_by_user on generation_report (user_id, id)`,
  ],
  '0047_generation_closed_owner': [
    sql`
        create table generation_closed_owner (
          user_id text primary key,
          closed_at timestamptz not null,
          erased_at timestamptz
        )`,
    sql`create index generation_closed_owner_open on generation_closed_owner (closed_at) where erased_at is null`,
    // Finds the image of a stored folder, to tell it from one that a crash has left.
    sql`
        create index generation_by_media on generation (split_part(image ->> 'url', '/', 3))
        where image is not null`,
  ],
  '0048_generation_test': [
    // A test is free and moves no credits, so they are closed when it ends. `test_slot` counts towards the day.
    sql`
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
            is_test or (test_slot is null and test_rating is null and test_note is null))`,
    // A pending test does not block a paid image, nor the other way round.
    sql`drop index generation_one_pending_per_user`,
    sql`create unique index generation_one_pending on generation (user_id, is_test) where status = 'pending'`,
    // The limit of a day is this index, not a count that two starts could both pass.
    sql`
        create unique index generation_test_slots on generation (user_id, test_day, test_slot)
        where test_slot is not null`,
    sql`create index generation_tests on generation (user_id, created_at desc, id desc) where is_test`,
  ],
  '0049_generation_withheld': [
    sql`
        alter table generation
          add column taken_down_at timestamptz,
          add column withheld_at timestamptz`,
    sql`drop index generation_media_to_move`,
    sql`
        create index generation_media_to_move on generation (least(hidden_at, taken_down_at, withheld_at))
        where least(hidden_at, taken_down_at, withheld_at) is not null and media_moved_at is null
          and deleted_at is null`,
    sql`
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
        )`,
    sql`
        create unique index generation_take_down_open on generation_take_down (generation_id) where decision is null`,
    sql`create index generation_take_down_of_image on generation_take_down (generation_id, requested_at)`,
    sql`create index generation_take_down_of_creator on generation_take_down (creator_id)`,
    sql`
        create index generation_take_down_due on generation_take_down (due_at, id) where decision is null`,
    sql`
        create index generation_take_down_decided on generation_take_down (decided_at, id)
        where decision is not null`,
  ],
  '0057_generation_moderation': [
    sql`
        alter table generation
          add column moderated_at timestamptz,
          add column moderation text check (moderation in ('hidden', 'taken_down')),
          add column moderation_note text,
          add constraint generation_moderated check (
            (moderated_at is null) = (moderation is null) and (moderated_at is null) = (moderation_note is null))`,
    sql`drop index generation_media_to_move`,
    sql`
        create index generation_media_to_move on generation (least(hidden_at, taken_down_at, withheld_at, moderated_at))
        where least(hidden_at, taken_down_at, withheld_at, moderated_at) is not null and media_moved_at is null
          and deleted_at is null`,
    // Taken-down images whose files are still there.
    sql`
        create index generation_taken_down on generation (moderated_at)
        where moderation = 'taken_down' and deleted_at is null`,
    sql`
        alter table generation_report
          add column act_id uuid,
          drop constraint generation_report_resolution_check,
          add constraint generation_report_resolution_check check (resolution in ('dismissed', 'removed', 'hidden'))`,
    sql`
        alter table generation_take_down
          add column act_id uuid,
          drop constraint generation_take_down_decision_check,
          add constraint generation_take_down_decision_check check (
            decision in ('removed', 'hidden', 'kept', 'taken_back'))`,
    sql`
        create table moderation_case (
          kind text not null check (kind in ('report', 'take_down', 'refusal')),
          id uuid not null,
          generation_id uuid,
          creator_id text not null,
          maker_id text not null,
          reason text not null,
          rank smallint not null check (rank between 0 and 2),
          opened_at timestamptz not null,
          due_at timestamptz,
          decision text check (decision in ('keep', 'hide', 'take_down')),
          decided_at timestamptz,
          decided_by text,
          act_id uuid,
          primary key (kind, id),
          check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null)),
          check ((kind = 'take_down') = (due_at is not null))
        )`,
    sql`
        create table moderation_decision (
          act_id uuid primary key,
          kind text not null,
          case_id uuid not null,
          generation_id uuid,
          creator_id text not null,
          maker_id text not null,
          decision text not null,
          decided_at timestamptz not null,
          decided_by text not null,
          before jsonb,
          blocked_prompt text,
          undone_at timestamptz
        )`,
    sql`
        create index moderation_decision_of_image on moderation_decision (generation_id, decided_at)
        where undone_at is null`,
    sql`create index moderation_decision_of_case on moderation_decision (case_id, decided_at)`,
    sql`create index moderation_decision_of_maker on moderation_decision (maker_id)`,
    sql`
        create table generation_blocked_prompt (
          creator_id text not null,
          prompt_hash text not null,
          blocked_at timestamptz not null,
          act_id uuid not null,
          primary key (creator_id, prompt_hash)
        )`,
    sql`
        create table generation_strike (
          act_id uuid primary key,
          user_id text not null,
          generation_id uuid not null unique,
          created_at timestamptz not null
        )`,
    sql`create index generation_strike_of_user on generation_strike (user_id)`,
    sql`
        create table generation_suspension (
          user_id text primary key,
          since timestamptz not null,
          until timestamptz,
          reason text not null,
          strike_act_id uuid
        )`,
  ],
  '0058_generation_moderation_cases': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, decision,
          decided_at, decided_by)
        select 'report', report.generation_id, report.generation_id, report.creator_id, g.user_id,
          (array_agg(report.reason order by report.reason = 'minors' desc, report.reason = 'sexual' desc,
            report.created_at))[1],
          case when bool_or(report.reason in ('minors', 'sexual')) then 0 else 1 end, min(report.created_at),
          case when every(report.resolved_at is not null) then
            case when bool_or(report.resolution = 'removed') then 'take_down' else 'keep' end end,
          case when every(report.resolved_at is not null) then max(report.resolved_at) end,
          case when every(report.resolved_at is not null) then max(report.resolved_by) end
        from generation_report report join generation g on g.id = report.generation_id
        group by report.generation_id, report.creator_id, g.user_id`.execute(db);
      await sql`
        insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, due_at,
          decision, decided_at, decided_by)
        select 'take_down', request.id, request.generation_id, request.creator_id, g.user_id, 'creator_request', 1,
          request.requested_at, request.due_at, case request.decision when 'removed' then 'take_down' when 'kept' then 'keep' end,
          request.decided_at, request.decided_by
        from generation_take_down request join generation g on g.id = request.generation_id
        where request.decision is distinct from 'taken_back'`.execute(db);
      await sql`
        insert into moderation_case (kind, id, creator_id, maker_id, reason, rank, opened_at)
        select 'refusal', id, creator_id, user_id, category, 2, created_at from moderation_refusal`.execute(db);
      await sql`
        insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at)
        select 'refusal', id, id, creator_id, user_id, 'sexual', 2, updated_at from generation
        where refund_reason = 'fatal_error' and error_message ~* 'nsfw|explicit|inappropriate' and prompt <> ''`.execute(
        db,
      );
      for (const column of [null, 'kind', 'creator_id', 'reason'] as const) {
        const name = column ? `_by_${column}` : '';
        const first = sql.raw(column ? `${column}, ` : '');
        await sql`
          create index ${sql.id(`moderation_case_open${name}`)} on moderation_case (${first} rank, opened_at, id)
          where decision is null`.execute(db);
        await sql`
          create index ${sql.id(`moderation_case_decided${name}`)} on moderation_case (${first} decided_at desc, id desc)
          where decision is not null`.execute(db);
      }
      await sql`
        create index moderation_case_due on moderation_case (due_at, id) where decision is null and due_at is not null`.execute(
        db,
      );
      await sql`create index moderation_case_of_image on moderation_case (generation_id)`.execute(db);
      await sql`create index moderation_case_of_maker on moderation_case (maker_id, kind)`.execute(db);
    },
  },
  '0054_generation_search': [
    sql`create extension if not exists pg_trgm`,
    sql`create extension if not exists btree_gin`,
    // Admins search the prompts of a creator. A row enters this index once, when its credits are closed: the changes
    // of a pending generation would each add its prompt again. Without the list of pending entries, which one insert
    // in thousands would have to sort in, and each search to read.
    sql`
        create index generation_prompt_of_creator on generation using gin (creator_id, prompt gin_trgm_ops)
        with (fastupdate = off)
        where credits_closed_at is not null and deleted_at is null and not is_test`,
    // The few that are not in it.
    sql`
        create index generation_open_of_creator on generation (creator_id)
        where credits_closed_at is null and deleted_at is null and not is_test`,
  ],
  '0150_generation_provider_refusal': [
    // Refusals that concern the operator's account at the image provider, the last one of each status.
    sql`
        create table generation_provider_refusal (status integer primary key, refused_at timestamptz not null)`,
  ],
  '0060_creations_by_status': [
    // Fans filter their creations. A row enters this index once, when its generation ends.
    sql`
        create index generation_ended_by_user on generation (user_id, status, created_at desc, id desc)
        where status in ('completed', 'failed') and not is_test`,
  ],
  '0061_generation_aspect_ratio': [
    // All images so far are squares.
    sql`
        alter table generation add column aspect_ratio text not null default 'square'
          check (aspect_ratio in ('square', 'portrait', 'landscape'))`,
  ],
  '0055_generation_page_changes': [
    // Instances keep drawn pages, and forget them together. Lists show a finished picture until it is hidden or erased.
    sql`
        create function generation_announce_pages() returns trigger language plpgsql as $$
        begin
          perform pg_notify('page_changed', 'generation:' || new.id);
          if (new.hidden_at, new.taken_down_at, new.moderated_at, new.deleted_at, new.is_test, new.prompt, new.image)
            is distinct from
            (old.hidden_at, old.taken_down_at, old.moderated_at, old.deleted_at, old.is_test, old.prompt, old.image)
          then
            perform pg_notify('page_changed', 'creator:' || new.creator_id);
            perform pg_notify('page_changed', 'creators');
          end if;
          return null;
        end $$`,
    sql`
        create trigger generation_announce_pages after update on generation
        for each row when (old.status = 'completed') execute function generation_announce_pages()`,
    sql`
        create function generation_announce_closed_owner() returns trigger language plpgsql as $$
        begin
          perform pg_notify('page_changed', '*');
          return null;
        end $$`,
    sql`
        create trigger generation_announce_closed_owner after insert or delete on generation_closed_owner
        for each statement execute function generation_announce_closed_owner()`,
  ],
  '0153_generation_lists_by_case': [
    // Admins list cases. Nothing lists reports, requests or the provider's refusals by their time any more.
    sql`drop index generation_report_open, generation_report_resolved, generation_take_down_due,
        generation_take_down_decided, generation_refused_by_provider`,
  ],
  '0154_generation_salts': [
    // The ledger has salted hashes of the image and the prompt. Images of before have none.
    sql`
        alter table generation add column salt text, add column image_hash text, add column prompt_hash text`,
  ],
  '0172_generation_open_streams': [
    // Unlogged: what a process tells is valid for seconds.
    sql`
        create unlogged table generation_open_stream (
          process uuid not null,
          user_id text not null,
          streams integer not null,
          renewed_at timestamptz not null default clock_timestamp(),
          primary key (process, user_id)
        )`,
    sql`create index generation_open_stream_user on generation_open_stream (user_id)`,
    sql`create index generation_open_stream_age on generation_open_stream (renewed_at)`,
  ],
  '0175_generation_request_ids': [
    sql`alter table generation add column request_id uuid`,
    sql`
        create unique index generation_request on generation (user_id, request_id)
        where request_id is not null`,
  ],
  '0176_generation_withheld_pictures': {
    async up(db) {
      await sql`
        create function generation_announce_withheld() returns trigger language plpgsql as $$
        begin
          perform pg_notify(${sql.lit(WITHHELD_CHANNEL)}, tg_argv[0] || split_part(new.image ->> 'url', '/', 3));
          return null;
        end $$`.execute(db);
      const columns = sql`hidden_at, taken_down_at, withheld_at, moderated_at`;
      const of = (row: 'old' | 'new') =>
        sql.raw(`least(${row}.hidden_at, ${row}.taken_down_at, ${row}.withheld_at, ${row}.moderated_at)`);
      await sql`
        create trigger generation_announce_withheld after update of ${columns}, deleted_at on generation
        for each row when (new.image is not null and (
          (${of('new')} is not null and new.media_moved_at is null and (
            ${of('old')} is null or old.media_moved_at is not null))
          or (old.deleted_at is null and new.deleted_at is not null)))
        execute function generation_announce_withheld('+')`.execute(db);
      await sql`
        create trigger generation_announce_shown after update of ${columns} on generation
        for each row when (
          new.image is not null and new.deleted_at is null and ${of('old')} is not null and ${of('new')} is null)
        execute function generation_announce_withheld('-')`.execute(db);
    },
  },
  '0178_generation_prompts_of_faults': [
    // Deleted images whose prompt was kept although the provider's own check did not refuse it.
    sql`
        update generation set prompt = ''
        where refund_reason = 'fatal_error' and deleted_at is not null and prompt <> ''
          and not exists (select from moderation_case refusal
            where refusal.kind = 'refusal' and refusal.id = generation.id)`,
  ],
  '0179_generation_refusals_by_age': [
    // Prompts that the provider refused are erased at the end of their term.
    sql`
        create index moderation_case_provider_refusal on moderation_case (opened_at)
        where kind = 'refusal' and generation_id is not null`,
  ],
  '0180_generation_suspension_causes': [
    // An undo takes the part of its strike away, and leaves the rest.
    sql`alter table generation_suspension add column causes jsonb not null default '[]'`,
    sql`
        update generation_suspension set causes = jsonb_build_array(jsonb_build_object(
          'act_id', strike_act_id, 'since', since, 'until', until, 'reason', reason))`,
  ],
  '0181_generation_removals_later': [
    // A file that cannot be deleted lets the others go first.
    sql`alter table generation_media_removal add column retry_at timestamptz`,
    sql`
        create index generation_media_removal_next on generation_media_removal ((coalesce(retry_at, remove_at)))`,
  ],
  '0182_generation_salts_of_trials': [
    // Trial pictures of withdrawn creators kept it.
    sql`update generation set salt = null where user_id like 'trial:%' and deleted_at is not null and salt is not null`,
  ],
};
