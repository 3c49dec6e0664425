import { type Kysely, type Transaction, sql } from 'kysely';

/** Other transactions use the tables of the projection. Retry soon. */
export class TablesBusyError extends Error {
  constructor(cause: unknown) {
    super('The tables are in use.', { cause });
    this.name = 'TablesBusyError';
  }
}

/** The tables cannot be switched until a person changes something; the message says what. */
export class ShadowTablesError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ShadowTablesError';
  }
}

/**
 * Total wait for locks in one switch (milliseconds). Shorter than Postgres's `deadlock_timeout` of a second, so that a
 * reader is never chosen as the deadlock victim. Readers that queue behind the lock wait no longer than this.
 */
const EXCHANGE_WAIT_MS = 800;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** The schema of the temporary tables of a session, which end with it. */
export const TEMPORARY_SCHEMA = 'pg_temp';

type Database = Kysely<unknown> | Transaction<unknown>;
type TableName = readonly [schema: string, table: string];

/** Empty copies of live tables, with the same names in another schema. They can replace the live ones. */
export class ShadowTables {
  /** The order in which the next switch locks the tables of both schemas; null before the first one. */
  private lockOrder: readonly TableName[] | null = null;

  constructor(
    private readonly schema: string,
    private readonly tables: readonly string[],
  ) {}

  /**
   * Creates empty tables with the columns, defaults, checks, keys, index names, storage options and grants of the live
   * ones. Creates the schema, unless it is that of temporary tables.
   * @throws ShadowTablesError when an object depends on a live table and a switch would break it
   */
  async create(trx: Transaction<unknown>): Promise<void> {
    const live = await liveSchema(trx);
    await this.refuseObstacles(trx, live);
    if (this.schema !== TEMPORARY_SCHEMA) await sql`create schema ${sql.id(this.schema)}`.execute(trx);
    for (const table of this.tables) {
      await sql`create table ${sql.id(this.schema, table)}
        (like ${sql.id(live, table)} including all excluding indexes)`.execute(trx);
      for (const statement of await this.definitionsBeyondColumns(trx, live, table)) {
        await sql.raw(statement).execute(trx);
      }
    }
  }

  /** Returns true when the tables exist with the current definitions of the live ones, which migrations may change. */
  async matchLive(db: Database): Promise<boolean> {
    const mine = await this.definition(db, this.schema);
    const live = await this.definition(db, await liveSchema(db));
    return mine !== null && mine === live;
  }

  /** Collects statistics for the query planner. The tables keep them when they replace the live ones. */
  async analyze(db: Database): Promise<void> {
    for (const table of this.tables) await sql`analyze ${sql.id(this.schema, table)}`.execute(db);
  }

  /**
   * Replaces the live tables. Waits for running statements; later statements wait, and then read the new tables.
   * @throws TablesBusyError when other transactions use the live tables for too long; the transaction is then aborted
   * @throws ShadowTablesError
   */
  async takeOver(trx: Transaction<unknown>): Promise<void> {
    const live = await liveSchema(trx);
    await this.lockBoth(trx, live);
    await this.refuseObstacles(trx, live);
    if (!(await this.matchLive(trx))) {
      throw new ShadowTablesError(
        `The tables ${this.tables.join(', ')} were changed during the rebuild: start the rebuild again.`,
      );
    }
    for (const table of this.tables) {
      await sql`drop table ${sql.id(live, table)}`.execute(trx);
      await sql`alter table ${sql.id(this.schema, table)} set schema ${sql.id(live)}`.execute(trx);
    }
    await sql`drop schema ${sql.id(this.schema)}`.execute(trx);
  }

  async drop(db: Database): Promise<void> {
    await sql`drop schema if exists ${sql.id(this.schema)} cascade`.execute(db);
  }

  /**
   * A reader may hold one table and wait for another that is locked here. So the next attempt begins with the table
   * that could not be locked, and holds nothing that its readers wait for.
   */
  private async lockBoth(trx: Transaction<unknown>, live: string): Promise<void> {
    // The new tables have no readers yet, but autovacuum may be working on them.
    this.lockOrder ??= [this.schema, live].flatMap((schema) => this.tables.map((table) => [schema, table] as const));
    const order = this.lockOrder;
    const each = Math.max(10, Math.floor(EXCHANGE_WAIT_MS / order.length));
    await sql`select set_config('lock_timeout', ${`${each}ms`}, true)`.execute(trx);
    for (const name of order) {
      try {
        await sql`lock table ${sql.id(...name)} in access exclusive mode`.execute(trx);
      } catch (error) {
        const code = (error as { code?: unknown }).code;
        if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
        this.lockOrder = [name, ...order.filter((other) => other !== name)];
        throw new TablesBusyError(error);
      }
    }
  }

  /** Keys, indexes, storage options and grants of a live table, as statements for its copy. */
  private async definitionsBeyondColumns(trx: Transaction<unknown>, live: string, table: string): Promise<string[]> {
    const { rows } = await sql<{ statement: string }>`
      with live as (
        select c.oid, c.relacl, c.relowner, c.reloptions, format('%I.%I', ${live}::text, c.relname) as name,
          format('%I.%I', ${this.schema}::text, c.relname) as copy
        from pg_class c where c.relnamespace = ${live}::regnamespace and c.relname = ${table}
      )
      select format('alter table %s add constraint %I %s', copy, k.conname, pg_get_constraintdef(k.oid)) as statement
      from live join pg_constraint k on k.conrelid = live.oid where k.contype in ('p', 'u', 'x')
      union all
      select replace(pg_get_indexdef(i.indexrelid), format(' ON %s USING ', name), format(' ON %s USING ', copy))
      from live join pg_index i on i.indrelid = live.oid
      where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
      union all
      select format('alter table %s set (%s)', copy, array_to_string(reloptions, ', ')) from live
      where reloptions is not null
      union all
      select format('grant %s on %s to %s%s', a.privilege_type, copy,
        case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end,
        case when a.is_grantable then ' with grant option' else '' end)
      from live, aclexplode(relacl) a where a.grantee <> relowner`.execute(trx);
    return rows.map(({ statement }) => statement);
  }

  private async definition(db: Database, schema: string): Promise<string | null> {
    const { rows } = await sql<{ found: number; definition: string | null }>`
      select count(*)::int as found, string_agg(concat_ws(E'\n', c.relname,
        (select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
            a.attidentity, a.attgenerated, a.attcollation, pg_get_expr(d.adbin, d.adrelid)), E'\n' order by a.attnum)
          from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
        (select string_agg(concat_ws(' ', k.conname, pg_get_constraintdef(k.oid)), E'\n' order by k.conname)
          from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'p', 'u', 'x')),
        (select string_agg(replace(pg_get_indexdef(i.indexrelid), format(' ON %I.%I ', ${schema}::text, c.relname), ' ON '),
            E'\n' order by i.indexrelid::regclass::text)
          from pg_index i where i.indrelid = c.oid)), E'\n\n' order by c.relname) as definition
      from pg_class c
      where c.relnamespace = to_regnamespace(quote_ident(${schema})) and c.relkind = 'r' and c.relname = any(${[...this.tables]})
    `.execute(db);
    return rows[0]?.found === this.tables.length ? rows[0].definition : null;
  }

  private async refuseObstacles(trx: Transaction<unknown>, live: string): Promise<void> {
    const { rows } = await sql<{ tablename: string; what: string }>`
      with live as (
        select c.oid, c.relname as tablename from pg_class c
        where c.relnamespace = ${live}::regnamespace and c.relkind = 'r' and c.relname = any(${[...this.tables]})
      )
      select tablename, pg_describe_object(d.classid, d.objid, d.objsubid) as what
      from live join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = live.oid and d.deptype = 'n'
      where not exists (select from pg_constraint k where d.classid = 'pg_constraint'::regclass and k.oid = d.objid and k.conrelid = live.oid)
        and not exists (select from pg_attrdef a where d.classid = 'pg_attrdef'::regclass and a.oid = d.objid and a.adrelid = live.oid)
        and not exists (select from pg_index i where d.classid = 'pg_class'::regclass and i.indexrelid = d.objid and i.indrelid = live.oid)
      union
      select tablename, 'the foreign key ' || k.conname from live join pg_constraint k on k.conrelid = live.oid where k.contype = 'f'
      union
      select tablename, 'the trigger ' || t.tgname from live join pg_trigger t on t.tgrelid = live.oid where not t.tgisinternal
      union
      select tablename, 'the policy ' || p.polname from live join pg_policy p on p.polrelid = live.oid
      union
      select tablename, 'the sequence ' || d.objid::regclass from live
      join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = live.oid and d.deptype = 'a'
      join pg_class s on d.classid = 'pg_class'::regclass and s.oid = d.objid and s.relkind = 'S'`.execute(trx);
    const missing = await this.missing(trx, live);
    const problems = [
      ...rows.map(({ tablename, what: dependent }) => `${dependent} depends on ${tablename}`),
      ...missing.map((table) => `${table} does not exist`),
    ];
    if (problems.length > 0) throw new ShadowTablesError(`The tables cannot be rebuilt: ${problems.join('; ')}.`);
  }

  private async missing(trx: Transaction<unknown>, live: string): Promise<string[]> {
    const { rows } = await sql<{ relname: string }>`
      select c.relname from pg_class c
      where c.relnamespace = ${live}::regnamespace and c.relkind = 'r' and c.relname = any(${[...this.tables]})`.execute(
      trx,
    );
    const found = new Set(rows.map(({ relname }) => relname));
    return this.tables.filter((table) => !found.has(table));
  }
}

/** Returns the schema of the app's tables. */
export async function liveSchema(db: Database): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const schema = rows[0]?.schema;
  if (schema === undefined || schema === null) throw new Error('The database has no schema on its search path.');
  return schema;
}
