import { sql } from 'kysely';
import { type Migrations } from '../platform/database/database.js';

export const creatorMigrations: Migrations = {
  '0030_creators_creator': [
    sql`
        create table creator (
          id uuid primary key,
          clerk_id text unique,
          username text not null unique check (username ~ '^[a-z0-9][a-z0-9_.-]{0,49}$'),
          name text not null,
          email text not null,
          instagram text not null,
          twitter text,
          onlyfans text,
          bio text not null default '',
          style text,
          profile jsonb,
          creator_status text not null check (creator_status in ('pending', 'active', 'rejected')),
          is_visible boolean not null default true,
          is_featured boolean not null default true,
          deployment_name text unique,
          lora_id text unique,
          created_at timestamptz not null,
          updated_at timestamptz not null
        )`,
    sql`
        create index creator_public on creator (created_at, id)
        where creator_status = 'active' and is_visible`,
  ],
  '0031_creators_terms': [
    sql`
        create table creator_terms_acceptance (
          clerk_id text not null,
          terms_version text not null,
          accepted_at timestamptz not null,
          primary key (clerk_id, terms_version)
        )`,
  ],
  '0032_creators_by_age': [
    // The table's readers get pages of all creators, oldest or newest first.
    sql`create index creator_by_age on creator (created_at, id)`,
  ],
  '0033_creators_withdrawal': [
    // Unarchiving can therefore never reopen a withdrawn page.
    sql`
        alter table creator
          add column withdrawn_at timestamptz,
          add constraint creator_withdrawn check (withdrawn_at is null or not is_visible)`,
    sql`
        create table creator_payout_record (
          creator_id uuid primary key,
          name text not null,
          email text not null,
          kept_until timestamptz not null
        )`,
  ],
  '0034_creators_applications': [
    // The order of the acts is `number`: clocks of instances differ.
    sql`
        create table creator_consent (
          id uuid primary key,
          number bigint generated always as identity unique,
          clerk_id text not null,
          kind text not null check (kind in ('accepted', 'withdrawn', 'paused', 'resumed')),
          at timestamptz not null,
          context text not null,
          terms_version text,
          terms_sha256 text check (terms_sha256 ~ '^[0-9a-f]{64}$'),
          terms_url text,
          method_of_acceptance text,
          accepted_text_snapshot text,
          user_agent text,
          email text,
          constraint creator_consent_accepted check ((kind = 'accepted') = (terms_version is not null))
        )`,
    sql`create index creator_consent_of_user on creator_consent (clerk_id, number)`,
    // These acceptances were recorded without the text and the circumstances.
    sql`
        insert into creator_consent (id, clerk_id, kind, at, context, terms_version)
        select gen_random_uuid(), clerk_id, 'accepted', accepted_at, 'before_records', terms_version
        from creator_terms_acceptance order by accepted_at`,
    sql`drop table creator_terms_acceptance`,
    sql`
        create table creator_application (
          id uuid primary key,
          creator_id uuid not null references creator (id),
          name text not null,
          email text not null,
          instagram text not null,
          applied_at timestamptz not null
        )`,
    sql`create index creator_application_of_creator on creator_application (creator_id, applied_at)`,
    sql`
        create table creator_decision (
          id uuid primary key,
          number bigint generated always as identity unique,
          creator_id uuid not null references creator (id),
          kind text not null check (kind in
            ('approved', 'rejected', 'model_assigned', 'archived', 'unarchived', 'featured', 'unfeatured')),
          actor_id text not null,
          decided_at timestamptz not null,
          reason text,
          identity_verified text,
          age_verified text,
          instagram_verified text,
          model text
        )`,
    sql`create index creator_decision_of_creator on creator_decision (creator_id, number)`,
    sql`
        create table creator_applicant (
          clerk_id text primary key,
          applied_at timestamptz,
          closed_at timestamptz
        )`,
    // An applicant who is not approved must not keep a name from the person whom it belongs to.
    sql`
        alter table creator
          add column paused_at timestamptz,
          drop constraint creator_username_key`,
    sql`create index creator_username on creator (username)`,
    sql`
        create unique index creator_approved_username on creator (username)
        where creator_status = 'active'`,
    sql`
        create unique index creator_approved_handle on creator (lower(instagram))
        where creator_status = 'active' and instagram <> ''`,
  ],
  '0036_creators_consent_again': [
    // Until now only a closed account withdrew its creator. Consent that is withdrawn can be given again, so the
    // withdrawal no longer changes whether the creator is archived.
    sql`
        alter table creator
          drop constraint creator_withdrawn,
          add column closed_at timestamptz,
          add column style_changed_at timestamptz,
          add column style_due_at timestamptz`,
    sql`update creator set closed_at = withdrawn_at where withdrawn_at is not null`,
    sql`
        alter table creator
          add constraint creator_closed check (closed_at is null or withdrawn_at is not null),
          add constraint creator_style_work check ((style_changed_at is null) = (style_due_at is null))`,
    sql`drop index creator_public`,
    sql`
        create index creator_public on creator (created_at, id)
        where creator_status = 'active' and is_visible and withdrawn_at is null`,
    sql`create index creator_style_due on creator (style_due_at) where style_due_at is not null`,
    sql`
        create table creator_model_deletion (
          id uuid primary key,
          creator_id uuid not null references creator (id),
          model text not null,
          requested_at timestamptz not null,
          due_at timestamptz not null,
          done_at timestamptz,
          done_by text,
          cancelled_at timestamptz,
          check ((done_at is null) = (done_by is null)),
          check (done_at is null or cancelled_at is null)
        )`,
    sql`
        create unique index creator_model_deletion_open on creator_model_deletion (creator_id)
        where done_at is null and cancelled_at is null`,
    sql`create index creator_model_deletion_due on creator_model_deletion (due_at, id)`,
    // The models of creators who have left before.
    sql`
        insert into creator_model_deletion (id, creator_id, model, requested_at, due_at)
        select gen_random_uuid(), id, coalesce(deployment_name, lora_id), withdrawn_at, withdrawn_at + interval '30 days'
        from creator where withdrawn_at is not null and coalesce(deployment_name, lora_id) is not null`,
  ],
  '0037_creators_blocked_terms': [
    sql`
        create table creator_blocked_term (
          id uuid primary key,
          creator_id uuid not null references creator (id),
          term text not null check (length(term) between 1 and 50),
          term_key text not null,
          added_at timestamptz not null,
          unique (creator_id, term_key)
        )`,
    sql`
        create table creator_blocked_stop (
          term_id uuid not null references creator_blocked_term (id) on delete cascade,
          month text not null,
          stopped integer not null check (stopped > 0),
          primary key (term_id, month)
        )`,
  ],
  '0038_creators_payout_details': [
    sql`
        create table creator_payout_details (
          creator_id uuid primary key references creator (id),
          key_id text not null,
          sealed bytea not null,
          changed_at timestamptz not null
        )`,
    sql`
        create table creator_payout_change (
          id uuid primary key,
          creator_id uuid not null references creator (id),
          at timestamptz not null,
          changed text[] not null
        )`,
    sql`create index creator_payout_change_of_creator on creator_payout_change (creator_id, at desc)`,
  ],
  '0041_creators_review_lists': [
    // Since when the application waits, or was decided. The lists of admins are ordered by it.
    sql`alter table creator add column state_since timestamptz not null default now()`,
    sql`
        update creator set state_since = coalesce(
          (select max(decided_at) from creator_decision
            where creator_id = creator.id and kind in ('approved', 'rejected', 'model_assigned')
              and creator_status <> 'pending'),
          (select max(applied_at) from creator_application where creator_id = creator.id),
          created_at)`,
    // Creators who have left are in none of the lists.
    sql`
        alter table creator add column application_state text generated always as (
          case
            when withdrawn_at is not null then null
            when creator_status <> 'active' then creator_status
            when deployment_name is null and lora_id is null then 'waiting_for_model'
            else 'approved'
          end) stored`,
    sql`
        create index creator_application_state on creator (application_state, state_since, id)
        where application_state is not null`,
    sql`create extension if not exists pg_trgm`,
    sql`
        create index creator_application_text on creator using gin (
          (lower(name || ' ' || username || ' ' || instagram || ' ' || email)) gin_trgm_ops)
        where application_state is not null`,
    // Who else has this handle or address.
    sql`create index creator_handle on creator (lower(instagram)) where instagram <> ''`,
    sql`create index creator_email on creator (lower(email)) where email <> ''`,
  ],
  '0042_creators_questions': [
    sql`
        create table creator_question (
          id uuid primary key,
          creator_id uuid not null references creator (id),
          application_id uuid not null references creator_application (id),
          question text not null,
          asked_by text not null,
          asked_at timestamptz not null,
          answer text,
          answered_at timestamptz,
          check ((answer is null) = (answered_at is null))
        )`,
    // One open question at a time. The index also decides between two admins who ask at once.
    sql`
        create unique index creator_question_open on creator_question (application_id)
        where answered_at is null`,
    sql`create index creator_question_of_creator on creator_question (creator_id, asked_at)`,
  ],
  '0043_creators_by_text_id': [
    // Figures of creators name them by text. The lists of admins join both in the order of a figure.
    sql`
        create index creator_text_id on creator ((id::text)) where creator_status = 'active'`,
  ],
  '0040_creators_lists_of_admins': [
    sql`create extension if not exists pg_trgm`,
    // Active and archived creators by age, by a part of the name, username or handle, and by name.
    sql`
        create index creator_listed on creator (is_visible, created_at, id) where creator_status = 'active'`,
    sql`
        create index creator_listed_text on creator
        using gin (lower(name || ' ' || username || ' ' || instagram) gin_trgm_ops)
        where creator_status = 'active'`,
    sql`create index creator_by_name on creator (lower(name), id) where creator_status = 'active'`,
    sql`create index creator_newest on creator (created_at desc, id desc) where creator_status = 'active'`,
  ],
  '0043_creators_page_changes': [
    // Instances keep drawn pages, and forget them together. Sent when the change is committed.
    sql`
        create function creator_announce_pages() returns trigger language plpgsql as $$
        begin
          perform pg_notify('page_changed', 'creator:' || new.id);
          perform pg_notify('page_changed', 'creators');
          return null;
        end $$`,
    sql`
        create trigger creator_announce_pages after insert or update on creator
        for each row execute function creator_announce_pages()`,
  ],
  '0044_creators_payout_record_terms': [
    sql`create index creator_payout_record_term on creator_payout_record (kept_until)`,
  ],
  '0154_creators_salts': [
    // Acts have the salted hashes of these rows. Rows of before have no salt.
    sql`alter table creator_consent add column salt text`,
    sql`alter table creator_decision add column salt text`,
    sql`alter table creator_payout_details add column salt text`,
  ],
};
