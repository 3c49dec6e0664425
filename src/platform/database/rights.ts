import { type Kysely, sql, type Transaction } from 'kysely';
import { type Pool } from 'pg';
import { OperatorMistake } from '../operator-mistake.js';
import { INSUFFICIENT_PRIVILEGE, MIGRATION_LOCK } from './migrate.js';

/** Rights of the app's user where they differ from select, insert, update and delete. */
export interface AppRights {
  /** Tables that the app owns, because the rebuild of a projection replaces them. */
  readonly owned: readonly string[];
  /** The only rights on a table, as a GRANT statement lists them: `['select', 'insert (stream, data)']`. */
  readonly limited: Readonly<Record<string, readonly string[]>>;
}

/** Users of the database besides the owner; null when the owner does their work. */
export interface LimitedUsers {
  readonly app: string | null;
  /** Reads everything and may create temporary tables. */
  readonly audit: string | null;
}

/** The owner cannot give the other users their rights. The message is one sentence. */
class RightsError extends OperatorMistake {
  constructor(reason: string, cause?: unknown) {
    super(`The users of the database cannot get their rights (${reason}): see docs/runbooks/database-roles.md.`, cause);
  }
}

type Db = Transaction<unknown>;

/**
 * Gives the users of the database their rights, after the migrations and as the owner of the tables. Changes only what
 * is missing, so a usual start writes nothing. Later tables need no grants of their own.
 * @throws RightsError when the owner may not do that
 */
export async function grantRights(db: Kysely<unknown>, users: LimitedUsers, rights: AppRights): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
      if ((await missingRight(trx, users, rights)) === null) return;
      await sql`set local lock_timeout = '120s'`.execute(trx);
      const { database, schema } = await names(trx);
      if (users.app !== null) await grantToApp(trx, users.app, rights, { database, schema });
      if (users.audit !== null) {
        const audit = sql.id(users.audit);
        await sql`grant connect, temporary on database ${sql.id(database)} to ${audit}`.execute(trx);
        await sql`grant usage on schema ${sql.id(schema)} to ${audit}`.execute(trx);
        // Up to Postgres 14 every user may create tables in `public`.
        await sql`revoke create on schema ${sql.id(schema)} from public`.execute(trx);
        await sql`grant select on all tables in schema ${sql.id(schema)} to ${audit}`.execute(trx);
      }
      const missing = await missingRight(trx, users, rights);
      if (missing !== null) throw new RightsError(missing);
    });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    throw code === INSUFFICIENT_PRIVILEGE ? new RightsError(message, error) : error;
  }
}

async function grantToApp(
  trx: Db,
  app: string,
  { owned, limited }: AppRights,
  { database, schema }: { database: string; schema: string },
): Promise<void> {
  const user = sql.id(app);
  await sql`grant connect, create, temporary on database ${sql.id(database)} to ${user}`.execute(trx);
  await sql`grant usage, create on schema ${sql.id(schema)} to ${user}`.execute(trx);
  await sql`grant select, insert, update, delete on all tables in schema ${sql.id(schema)} to ${user}`.execute(trx);
  for (const [table, grants] of Object.entries(limited)) {
    await sql`revoke all on table ${sql.id(schema, table)} from ${user}`.execute(trx);
    await sql`grant ${sql.raw(grants.join(', '))} on table ${sql.id(schema, table)} to ${user}`.execute(trx);
  }
  // An unfinished rebuild of an older build has its own schema.
  const { rows } = await sql<{ statement: string }>`
    with rebuild as (
      select oid, nspname, nspowner from pg_namespace where nspname in (select schema from projection_rebuild)
    )
    select format('alter schema %I owner to %I', nspname, ${app}::text) as statement, 1 as place
    from rebuild where nspowner <> ${app}::regrole
    union all
    select format('alter table %s owner to %I', c.oid::regclass, ${app}::text), 2
    from pg_class c where c.relkind = 'r' and c.relowner <> ${app}::regrole and (
      c.relnamespace in (select oid from rebuild)
      or c.relnamespace = ${schema}::regnamespace and c.relname = any(${[...owned]}))
    order by place`.execute(trx);
  for (const { statement } of rows) await sql.raw(statement).execute(trx);
}

/** Returns the first right that a user has too few or too many; null when all is as it must be. */
async function missingRight(trx: Db, users: LimitedUsers, { owned, limited }: AppRights): Promise<string | null> {
  const { rows } = await sql<{ missing: string }>`
    with subject as (select ${users.app}::text as app, ${users.audit}::text as audit)
    select 'the app''s rights on the database' as missing from subject where app is not null and not (
      has_database_privilege(app, current_database(), 'connect')
      and has_database_privilege(app, current_database(), 'create')
      and has_database_privilege(app, current_database(), 'temporary')
      and has_schema_privilege(app, current_schema(), 'usage') and has_schema_privilege(app, current_schema(), 'create'))
    union all
    select 'the app''s rights on ' || c.oid::regclass from subject, pg_class c
    where app is not null and c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and case
      when c.relname = any(${[...owned]}) then c.relowner <> app::regrole
      when c.relname = any(${Object.keys(limited)}) then has_table_privilege(app, c.oid, 'delete, truncate')
      else not (has_table_privilege(app, c.oid, 'select') and has_table_privilege(app, c.oid, 'insert')
        and has_table_privilege(app, c.oid, 'update') and has_table_privilege(app, c.oid, 'delete')) end
    union all
    select 'the app''s rights on ' || c.oid::regclass || '.' || a.attname
    from subject, pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join unnest('{select,insert,update}'::text[]) as p (privilege)
    where app is not null and c.relnamespace = current_schema()::regnamespace
      and c.relname = any(${Object.keys(limited)})
      and has_column_privilege(app, c.oid, a.attnum, p.privilege) <> exists (
        select from jsonb_to_recordset(${JSON.stringify(grantsOf(limited))}::jsonb)
          as wanted (name text, privilege text, columns text[])
        where name = c.relname and wanted.privilege = p.privilege
          and (columns is null or a.attname = any(columns)))
    union all
    select 'the auditor''s rights on the database' from subject where audit is not null and not (
      has_database_privilege(audit, current_database(), 'connect')
      and has_database_privilege(audit, current_database(), 'temporary')
      and has_schema_privilege(audit, current_schema(), 'usage')
      and not has_schema_privilege(audit, current_schema(), 'create'))
    union all
    select 'the auditor''s rights on ' || c.oid::regclass from subject, pg_class c
    where audit is not null and c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and not has_table_privilege(audit, c.oid, 'select')
    limit 1`.execute(trx);
  return rows[0]?.missing ?? null;
}

/** The limited rights one by one; `columns` is null where a right is on the whole table. */
function grantsOf(limited: AppRights['limited']): object[] {
  return Object.entries(limited).flatMap(([name, grants]) =>
    grants.map((grant) => {
      const [privilege, columns] = grant.split(' (');
      return { name, privilege, columns: columns?.replace(')', '').split(', ') ?? null };
    }),
  );
}

async function names(trx: Db): Promise<{ database: string; schema: string }> {
  const { rows } = await sql<{ database: string; schema: string }>`
    select current_database() as database, current_schema() as schema`.execute(trx);
  if (!rows[0]?.schema) throw new Error('The database has no schema on its search path.');
  return rows[0];
}

/** Returns true when the user of this pool could change or remove stored events. */
export async function mayChangeEvents(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    `select has_table_privilege(oid, 'update, delete, truncate') or pg_has_role(relowner, 'member') as may
     from pg_class where oid = 'event'::regclass`,
  );
  return rows[0]?.may ?? false;
}
