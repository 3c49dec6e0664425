import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { appRights } from '../../src/composition/app-rights.js';
import { migrations } from '../../src/composition/migrations.js';
import { accountProjection } from '../../src/credits/index.js';
import { type Migrations } from '../../src/platform/database/database.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, createPool, userOf } from '../../src/platform/database/pool.js';
import { grantRights, mayChangeEvents } from '../../src/platform/database/rights.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { compareWithFresh } from '../../src/platform/projections/compare-with-fresh.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';

const REFUSED = '42501';

let database: TestDatabase<unknown>;
let owner: pg.Pool;
let audit: pg.Pool;
beforeAll(async () => {
  database = await withTestDatabase();
  // Without the setting for maintenance.
  owner = createPool(database.ownerUrl, { max: 2 });
  audit = createPool(database.auditUrl, { max: 2 });
  await insertEvent(database.pool);
  await database.pool.query(`insert into ledger_seal (number, line, hash, sealed_at) values (1, 'x', 'x', now())`);
});
afterAll(async () => {
  await Promise.all([owner.end(), audit.end()]);
  await database.close();
});

const insertEvent = (pool: pg.Pool): Promise<unknown> =>
  pool.query(
    `insert into event (stream, version, event_id, type, data, metadata)
     values ('a', (select count(*) from event), gen_random_uuid(), 'X', '{}', '{}')`,
  );

/** Changes of stored events, of seals, and of what guards them. */
const CHANGES = [
  `update event set data = '{"amount": 1}'`,
  'delete from event',
  'truncate event',
  'alter table event disable trigger all',
  'drop trigger event_append_only on event',
  'alter table event drop constraint event_time_bound',
  'alter table event add column note text',
  'drop table event',
  'create or replace function refuse_change() returns trigger language plpgsql as $$begin return null; end$$',
  'set session_replication_role = replica',
  `update ledger_seal set line = 'y'`,
  'delete from ledger_seal',
  'truncate ledger_seal',
  'drop trigger ledger_seal_append_only on ledger_seal',
  `update log_leaf set hash = sha256('y')`,
  'delete from log_leaf',
  'truncate log_node',
  `update log_checkpoint set note = 'y'`,
  'drop trigger log_checkpoint_append_only on log_checkpoint',
  'delete from schema_migration',
];

/** Error codes of the statements, each in its own transaction after `before`. */
async function refusals(pool: pg.Pool, statements: readonly string[], before = 'select 1'): Promise<unknown[]> {
  const codes: unknown[] = [];
  for (const statement of statements) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(before);
      codes.push(
        await client.query(statement).then(
          () => statement,
          (error: { code?: unknown }) => error.code,
        ),
      );
      await client.query('rollback');
    } finally {
      client.release();
    }
  }
  return codes;
}

describe('the database user of the app', () => {
  it('appends events and seals, and publishes a seal', async () => {
    await insertEvent(database.pool);
    expect((await database.pool.query('select 1 from event')).rowCount).toBe(2);
    await database.pool.query('update ledger_seal set published_at = now()');
  });

  it('changes no stored event, no seal and none of their guards, with or without the setting for maintenance', async () => {
    const expected = CHANGES.map(() => REFUSED);
    expect(await refusals(database.pool, CHANGES)).toEqual(expected);
    expect(await refusals(database.pool, CHANGES, `set local fanvas.maintenance = 'on'`)).toEqual(expected);
  });

  it('chooses no position for its events', async () => {
    const columns = 'stream, version, event_id, type, data, metadata';
    const values = `'b', 0, gen_random_uuid(), 'X', '{}', '{}'`;
    const insert = `insert into event (${columns}, xid) values (${values}, '2')`;
    const overriding = `insert into event (${columns}, position) overriding system value values (${values}, 1)`;
    expect(await refusals(database.pool, [insert, overriding])).toEqual([REFUSED, REFUSED]);
  });

  it('has no right to change events, unlike the owner', async () => {
    expect(await mayChangeEvents(database.pool)).toBe(false);
    expect(await mayChangeEvents(owner)).toBe(true);
  });

  it('runs no migrations', async () => {
    expect(await migrate(database.db, migrations)).toEqual([]);
    const later = { ...migrations, '9999_later': { up: () => Promise.resolve() } };
    await expect(migrate(database.db, later)).rejects.toThrow(
      'The database needs the migrations 9999_later, and its tables belong to another user: set DATABASE_MIGRATION_URL',
    );
  });
});

describe('the database user of the audit', () => {
  it('runs no migrations, which one sentence explains', async () => {
    await expect(migrate(createDatabase<unknown>(audit), migrations)).rejects.toThrow(
      /^The user of the migrations has too few rights \(permission denied for schema public\): set DATABASE_MIGRATION_URL /,
    );
  });

  it('reads every table and changes none', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { name } of rows) await audit.query(`select from ${name} limit 1`);
    const changes = [
      ...CHANGES,
      ...rows.flatMap(({ name }) => [`delete from ${name}`, `insert into ${name} default values`, `truncate ${name}`]),
      ...['create table notes (note text)', 'create schema notes', 'drop table credit_balance'],
      `update credit_balance set bonus = 1`,
    ];
    expect(await refusals(audit, changes)).toEqual(changes.map(() => REFUSED));
  });
});

describe('the owner of the tables', () => {
  it('changes stored events and seals only with the setting for maintenance', async () => {
    const changes = [
      `update event set data = '{"amount": 1}'`,
      'delete from event where false',
      'truncate event',
      `update ledger_seal set line = 'y'`,
      'delete from ledger_seal',
      'truncate ledger_seal',
    ];
    expect(await refusals(owner, changes)).toEqual(changes.map(() => REFUSED));
    expect(await refusals(owner, changes, 'set local session_replication_role = replica')).toEqual(
      changes.map(() => REFUSED),
    );
    expect(await refusals(asOwner(database), changes)).toEqual(changes);
  });
});

describe('grantRights', () => {
  const users = (): { app: string; audit: string } => ({
    app: userOf(database.url),
    audit: userOf(database.auditUrl),
  });

  it('gives the rights on a table of a later migration', async () => {
    await owner.query('create table later (note text)');
    expect(await refusals(database.pool, ['select from later'])).toEqual([REFUSED]);
    await grantRights(createDatabase<unknown>(owner), users(), appRights);
    await database.pool.query(`insert into later values ('x')`);
    await database.pool.query('delete from later');
    await audit.query('select from later');
    expect(await refusals(audit, ['insert into later values (1)'])).toEqual([REFUSED]);
  });

  it('gives and takes the rights on columns that a later version lists differently', async () => {
    const db = createDatabase<unknown>(owner);
    const changed = 'update creator_decision set salt = null';
    const without = { ...appRights.limited, creator_decision: ['select', 'insert', 'update (reason)'] };
    await grantRights(db, users(), { ...appRights, limited: without });
    expect(await refusals(database.pool, [changed])).toEqual([REFUSED]);
    await grantRights(db, users(), appRights);
    expect(await refusals(database.pool, [changed, 'update creator_decision set creator_id = null'])).toEqual([
      changed,
      REFUSED,
    ]);
  });

  it('writes nothing when all rights are given', async () => {
    const state = async (): Promise<unknown> =>
      (await owner.query('select max(xmin::text::bigint) as last from pg_class')).rows[0];
    const before = await state();
    await grantRights(createDatabase<unknown>(owner), users(), appRights);
    expect(await state()).toEqual(before);
  });

  it('hands the tables of an older build to the app, with those of an unfinished rebuild', async () => {
    const old = await withTestDatabase({ empty: true });
    const oldOwner = createPool(old.ownerUrl, { max: 1 });
    try {
      await oldOwner.query(`alter database ${new URL(old.url).pathname.slice(1)} owner to current_user`);
      const db = createDatabase<unknown>(oldOwner);
      await migrate(db, migrations);
      await oldOwner.query('create schema projection_credit_account_v0');
      await oldOwner.query('create table projection_credit_account_v0.credit_balance (like credit_balance)');
      await oldOwner.query(
        `insert into projection_rebuild (name, version, schema, total) values ('credit_account', 0, 'projection_credit_account_v0', 1)`,
      );
      expect(await refusals(old.pool, ['drop table credit_balance'])).toEqual([REFUSED]);
      await grantRights(db, users(), appRights);
      await old.pool.query('drop schema projection_credit_account_v0 cascade');
      await old.pool.query('drop table credit_balance');
      expect(await refusals(old.pool, ['drop table event'])).toEqual([REFUSED]);
    } finally {
      await oldOwner.end();
      await old.close();
    }
  });

  it('names the right that it cannot give', async () => {
    await expect(
      grantRights(createDatabase<unknown>(owner), { ...users(), app: userOf(database.ownerUrl) }, appRights),
    ).rejects.toThrow(/The users of the database cannot get their rights \(the app's rights on /);
  });
});

describe('the setup of docs/runbooks/database-roles.md', () => {
  const suffix = randomUUID().slice(0, 8);
  const users = { owner: `owner_${suffix}`, app: `app_${suffix}`, audit: `audit_${suffix}` };

  it('allows migrations, rebuilds and audits without a superuser', async () => {
    const own = await withTestDatabase({ empty: true });
    const superuser = createPool(own.ownerUrl, { max: 1 });
    const connect = (user: keyof typeof users): pg.Pool =>
      createPool(Object.assign(new URL(own.url), { username: users[user], password: `${user}-password` }).href);
    const pools = { owner: connect('owner'), app: connect('app'), audit: connect('audit') };
    const eventStore = new PostgresEventStore(pools.app);
    try {
      const runbook = readFileSync(new URL('../../docs/runbooks/database-roles.md', import.meta.url), 'utf8');
      const script = /```sql\n([^`]+)```/.exec(runbook)?.[1] ?? '';
      await superuser.query(
        script
          .replace('database fanvas', `database ${new URL(own.url).pathname.slice(1)}`)
          .replaceAll(/fanvas_(owner|app|audit)/g, (_, user: keyof typeof users) => users[user]),
      );
      const db = createDatabase<unknown>(pools.owner);
      await migrate(db, migrations);
      await grantRights(db, users, appRights);
      const runner = new ProjectionRunner(pools.app, eventStore);
      runner.register(accountProjection);
      await runner.catchUp();
      await runner.stop();
      const appDb = createDatabase<CheckpointTables>(pools.app);
      const rebuild = new ProjectionRebuild(appDb, eventStore, accountProjection as unknown as Projection<unknown>);
      expect(await rebuild.run()).toBe('switched');
      const later: Migrations[string] = {
        up: (trx) => trx.schema.alterTable('credit_balance').addColumn('note', 'text').execute(),
      };
      await migrate(db, { ...migrations, '9999_later': later });
      const found = await compareWithFresh({ pool: pools.audit, eventStore }, accountProjection);
      expect(found).toMatchObject({ differences: 0, liveVersion: accountProjection.version });
      expect(await refusals(pools.audit, ['delete from credit_balance'])).toEqual([REFUSED]);
      expect(await refusals(pools.app, CHANGES)).toEqual(CHANGES.map(() => REFUSED));
    } finally {
      await eventStore.close();
      await Promise.all([superuser, ...Object.values(pools)].map((pool) => pool.end()));
      await own.close();
      await owner.query(`drop role if exists ${Object.values(users).join(', ')}`);
    }
  });
});
