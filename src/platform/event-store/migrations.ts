import { sql } from 'kysely';
import { type Migrations } from '../database/database.js';

export const eventStoreMigrations: Migrations = {
  '0001_event_store_event': [
    // (stream, version) is the compare-and-set. A position is taken before commit, so order among all events is by
    // (xid, position), read only below the oldest running transaction.
    sql`create table event (
        position bigint generated always as identity,
        xid xid8 not null default pg_current_xact_id(),
        stream text collate "C" not null check (stream <> ''),
        version bigint not null check (version >= 0),
        event_id uuid not null,
        type text not null check (type <> ''),
        data jsonb not null,
        metadata jsonb not null,
        recorded_at timestamptz not null default clock_timestamp(),
        primary key (stream, version)
      )`,
    sql`create unique index event_id_key on event (event_id)`,
    sql`create unique index event_order_key on event (xid, position)`,
  ],
  '0003_event_store_time': [
    // A process whose clock is ahead must not date events into the future. Older rows are not checked.
    sql`alter table event add constraint event_time_bound
        check ((metadata->>'occurredAt')::timestamptz <= recorded_at + interval '1 minute') not valid`,
  ],
  '0008_event_store_append_only': [
    // The owner of a table may change its rows for maintenance; for others the setting has no effect.
    sql`
        create function refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
        begin
          if current_setting('fanvas.maintenance', true) = 'on'
            and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then
            return null;
          end if;
          raise exception 'The rows of % are never changed: % is refused.', tg_table_name, lower(tg_op)
            using errcode = 'insufficient_privilege';
        end $$`,
    sql`
        create trigger event_append_only before update or delete or truncate on event
        for each statement execute function refuse_change()`,
    // Also in sessions that skip ordinary triggers (session_replication_role).
    sql`alter table event enable always trigger event_append_only`,
  ],
};
