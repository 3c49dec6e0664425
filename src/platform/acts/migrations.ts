import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const actMigrations: Migrations = {
  '0090_acts': [
    sql`create table admin_act_head (one boolean primary key check (one), number integer not null, hash text not null)`,
    sql`insert into admin_act_head (one, number, hash) values (true, 0, '')`,
    sql`
        create table admin_act (
          id uuid primary key,
          number integer not null unique,
          body text not null,
          hash text not null,
          kind text not null generated always as (body::jsonb ->> 'kind') stored,
          at_ms bigint not null generated always as ((body::jsonb ->> 'atMs')::bigint) stored,
          actor_id text not null generated always as (body::jsonb ->> 'actorId') stored,
          subject_kind text not null generated always as (body::jsonb ->> 'subjectKind') stored,
          subject_id text not null generated always as (body::jsonb ->> 'subjectId') stored,
          user_id text generated always as (body::jsonb ->> 'userId') stored,
          creator_id text generated always as (body::jsonb ->> 'creatorId') stored,
          state text not null generated always as (body::jsonb ->> 'state') stored,
          closes uuid generated always as ((body::jsonb ->> 'closes')::uuid) stored,
          undoes uuid generated always as ((body::jsonb ->> 'undoes')::uuid) stored,
          check (body::jsonb ->> 'id' = id::text),
          check ((body::jsonb ->> 'number')::integer = number),
          check (state in ('done', 'open', 'refused'))
        )`,
    sql`create unique index admin_act_closes on admin_act (closes) where closes is not null`,
    sql`create unique index admin_act_undoes on admin_act (undoes) where undoes is not null`,
    sql`create index admin_act_kind on admin_act (kind text_pattern_ops, number desc)`,
    sql`create index admin_act_actor on admin_act (actor_id, number desc)`,
    sql`create index admin_act_subject on admin_act (subject_id, number desc)`,
    sql`create index admin_act_user on admin_act (user_id, number desc) where user_id is not null`,
    sql`create index admin_act_creator on admin_act (creator_id, number desc) where creator_id is not null`,
    sql`create index admin_act_open on admin_act (number) where state = 'open'`,
    sql`create table admin_act_personal (
          act_id uuid primary key references admin_act (id),
          salt text,
          content jsonb,
          check ((salt is null) = (content is null))
        )`,
  ],
  '0091_acts_texts': [
    // Each text has a hash of its own, because the address is erased before the others.
    sql`drop table admin_act_personal`,
    sql`
        create table admin_act_personal (
          act_id uuid primary key references admin_act (id),
          at_ms bigint not null,
          reason text,
          reason_salt text,
          address text,
          address_salt text,
          subject_name text,
          subject_name_salt text,
          check ((reason is null) = (reason_salt is null)),
          check ((address is null) = (address_salt is null)),
          check ((subject_name is null) = (subject_name_salt is null))
        )`,
    sql`create index admin_act_personal_address on admin_act_personal (at_ms) where address is not null`,
    sql`create extension if not exists pg_trgm`,
    sql`
        create index admin_act_personal_search on admin_act_personal
        using gin (reason gin_trgm_ops, subject_name gin_trgm_ops)`,
    // A refused act is done when its request is repeated and succeeds.
    sql`drop index admin_act_closes`,
    sql`create unique index admin_act_closes on admin_act (closes, state) where closes is not null`,
    // As for events: the rights of the app already refuse this; the owner must ask for maintenance.
    sql`
        create trigger admin_act_append_only before update or delete or truncate on admin_act
        for each statement execute function refuse_change()`,
    sql`alter table admin_act enable always trigger admin_act_append_only`,
    sql`create index admin_act_time on admin_act (at_ms, number)`,
  ],
  '0183_acts_prompts': [
    // The log shows the prompt of an image or a refusal from there, as long as it is kept.
    sql`
        update admin_act_personal set subject_name = null, subject_name_salt = null
        where subject_name is not null and act_id in (
          select id from admin_act
          where kind = 'refusal.reviewed' or kind like 'image.%' or kind like 'prompt.%')`,
  ],
};
