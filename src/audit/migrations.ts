import { type RawBuilder, sql } from 'kysely';
import type { Migrations } from '../platform/database/database.js';

/**
 * Tables of the audit. When those of the continuous verification are emptied, it starts at the first event again
 * (docs/ledger-audit.md). Those of the log are kept for ever: what was published cannot be made again.
 */
export const auditMigrations: Migrations = {
  '0080_audit_continuous_verification': [
    sql`
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
        )`,
    sql`insert into ledger_verification default values`,
    sql`
        create table verified_account (
          user_id text primary key,
          version integer not null,
          state text,
          checked_at timestamptz,
          pending_since timestamptz
        )`,
    // Accounts that must be verified completely, and accounts whose balance was not comparable yet. Both are few.
    sql`create index verified_account_suspect on verified_account (checked_at) where state is null`,
    sql`create index verified_account_pending on verified_account (user_id) where pending_since is not null`,
    sql`
        create table ledger_problem (
          subject text not null,
          place integer not null,
          stream text not null,
          version integer,
          kind text not null,
          what text not null,
          found_at timestamptz not null,
          primary key (subject, place)
        )`,
    sql`create index checkout_by_credit on checkout (credited_at, id) where credited_at is not null`,
  ],
  '0100_audit_log': {
    async up(db) {
      // The public log (C2SP tlog-tiles): each event of the ledger has one leaf, its entry is the event's chain hash.
      await sql`
        create table log_leaf (
          index bigint primary key check (index >= 0),
          event_id uuid not null unique,
          stream text collate "C" not null,
          version bigint not null,
          hash bytea not null check (octet_length(hash) = 32),
          unique (stream, version)
        )`.execute(db);
      // Tree hashes of full tiles. Level 1 has those of the tiles of leaves.
      await sql`
        create table log_node (
          level smallint check (level > 0),
          index bigint check (index >= 0),
          hash bytea not null check (octet_length(hash) = 32),
          primary key (level, index)
        )`.execute(db);
      await sql`
        create table log_checkpoint (
          number bigint generated always as identity primary key,
          size bigint not null check (size >= 0),
          root bytea not null check (octet_length(root) = 32),
          note text not null,
          signed_at timestamptz not null
        )`.execute(db);
      for (const table of ['log_leaf', 'log_node', 'log_checkpoint']) {
        const name = sql.table(table);
        const trigger = sql.ref(`${table}_append_only`);
        await sql`
          create trigger ${trigger} before update or delete or truncate on ${name}
          for each statement execute function refuse_change()`.execute(db);
        await sql`alter table ${name} enable always trigger ${trigger}`.execute(db);
      }
    },
  },
  '0141_audit_verified_streams': [
    // Streams that are no accounts: the last verified event of each, and how far those with a prefix are verified.
    sql`
        create table verified_stream (
          stream text primary key,
          version integer not null,
          head text
        )`,
    sql`
        create table verified_prefix (
          prefix text primary key,
          position text not null,
          stream text not null,
          version integer not null,
          event_id uuid not null
        )`,
  ],
  '0146_audit_verification_runs': [
    sql`
        create table verification_run (
          id bigint generated always as identity primary key,
          requested_at timestamptz not null,
          requested_by text not null,
          started_at timestamptz,
          starts integer not null default 0,
          ended_at timestamptz,
          events bigint not null default 0,
          result jsonb,
          problems bigint not null default 0,
          failure text,
          check (case when ended_at is null then result is null and failure is null
            else (result is null) <> (failure is null) end)
        )`,
    // At most one run waits or is in progress.
    sql`create unique index verification_run_open on verification_run ((true)) where ended_at is null`,
  ],
  '0147_audit_log_groups': [
    // The tree hashes of the 16 groups of a full tile, one after the other: a proof reads them in place of the leaves.
    // Empty when hashes below are missing, so that a broken log does not stop the app. No node is added without them.
    sql`
        alter table log_node
          add column groups bytea not null default '' check (octet_length(groups) in (0, 512))`,
    sql`alter table log_node alter column groups drop default`,
    sql`set local fanvas.maintenance = 'on'`,
    sql`
        with one as (
          select 1 as level, index, sha256('\\x00'::bytea || hash) as hash from log_leaf
          union all
          select level + 1, index, hash from log_node
        ), ${pairsOf('one', 'two')}, ${pairsOf('two', 'four')}, ${pairsOf('four', 'eight')}, ${pairsOf('eight', 'sixteen')}
        update log_node set groups = tile.groups from (
          select level, index / 16 as index, string_agg(hash, '' order by index) as groups
          from sixteen group by level, index / 16 having count(*) = 16
        ) as tile where log_node.level = tile.level and log_node.index = tile.index`,
  ],
  '0154_audit_salts': [
    // Acts have the salted hashes of these rows. Rows of before have no salt.
    sql`alter table verification_run add column salt text`,
  ],
};

/** A part of a `with`: the tree hashes of two neighbours each. */
function pairsOf(from: string, to: string): RawBuilder<unknown> {
  return sql`${sql.ref(to)} as (
    select level, index / 2 as index, sha256('\\x01'::bytea || string_agg(hash, '' order by index)) as hash
    from ${sql.table(from)} group by level, index / 2 having count(*) = 2)`;
}
