import { type Kysely, type Migration, sql } from 'kysely';
import { type Migrations } from './database.js';
import { OperatorMistake } from '../operator-mistake.js';

/**
 * Session advisory lock: one process migrates, the others wait and then find nothing to do. The first number is 'fanv'
 * in ASCII, in decimal: Postgres 14 and 15 know no other notation.
 */
export const MIGRATION_LOCK = sql`1717661302, 2`;

/** A newer build has migrated the database. */
export class NewerDatabaseError extends OperatorMistake {
  constructor(unknown: readonly string[]) {
    super(
      `The database was set up by a newer version of Fanvas (it has ${unknown.join(', ')}); start that version, or use another database.`,
    );
  }
}

/** A migration failed. It was rolled back; the migrations before it remain. */
export class MigrationError extends Error {
  constructor(name: string, cause: unknown) {
    super(`The database migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'MigrationError';
  }
}

/** SQLSTATE of a statement that its user may not run. */
export const INSUFFICIENT_PRIVILEGE = '42501';

/** The user of the migrations does not own the tables. The message is one sentence. */
class NotOwnerError extends OperatorMistake {
  constructor(found: string, cause?: unknown) {
    super(
      `${found}: set DATABASE_MIGRATION_URL to the address with the user that owns the tables, see docs/runbooks/database-roles.md.`,
      cause,
    );
  }
}

/** The database lacks migrations, and this process does not run them. The message is one sentence. */
export class NotMigratedError extends OperatorMistake {
  constructor(missing: readonly string[]) {
    super(
      `The database needs the migrations ${missing.join(', ')}: run npm run migrate first, or remove FANVAS_MIGRATE=off.`,
    );
  }
}

interface MigrationTables {
  schema_migration: { name: string; applied_at: Date };
}

/**
 * Runs the migrations that were not applied yet, in the order of their names. One transaction per migration applies and
 * records it. Several processes may call this at once. A migration also runs if its name sorts before an applied one,
 * because contexts use separate number ranges. Kysely's migrator is not used: it runs all in one transaction.
 * @returns the names of the migrations that ran
 * @throws NewerDatabaseError, NotOwnerError, MigrationError
 */
export async function migrate<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<string[]> {
  return (db as unknown as Kysely<MigrationTables>).connection().execute(async (connection) => {
    const { rows } = await sql<{ limit: string }>`
      select current_setting('statement_timeout') as limit, set_config('statement_timeout', '0', false)`.execute(
      connection,
    );
    // Without a limit: the migrations of another process may take long.
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
    await sql`select set_config('lock_timeout', '120s', false)`.execute(connection);
    const giveBack = async (): Promise<void> => {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
      await sql`
        select set_config('lock_timeout', '0', false), set_config('statement_timeout', ${rows[0]?.limit}, false)`.execute(
        connection,
      );
    };
    let ran: string[];
    try {
      ran = await runPending(connection, migrations);
    } catch (error) {
      // A lost connection has given the lock back. The error of the migration names it.
      await giveBack().catch(() => undefined);
      throw error;
    }
    await giveBack();
    return ran;
  });
}

async function runPending(connection: Kysely<MigrationTables>, migrations: Migrations): Promise<string[]> {
  const applied = await appliedMigrations(connection);
  const unknown = [...applied].filter((name) => !(name in migrations)).sort();
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);

  const pending = Object.entries(migrations)
    .filter(([name]) => !applied.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (pending.length > 0 && !(await ownsTables(connection))) {
    const names = pending.map(([name]) => name).join(', ');
    throw new NotOwnerError(`The database needs the migrations ${names}, and its tables belong to another user`);
  }
  for (const [name, migration] of pending) {
    try {
      await connection.transaction().execute(async (transaction) => {
        await runMigration(transaction, migration);
        await transaction.insertInto('schema_migration').values({ name, applied_at: new Date() }).execute();
      });
    } catch (error) {
      throw new MigrationError(name, error);
    }
  }
  return pending.map(([name]) => name);
}

/** Runs a migration, without a record of it. */
export async function runMigration(db: Parameters<Migration['up']>[0], migration: Migrations[string]): Promise<void> {
  if ('up' in migration) return migration.up(db);
  for (const statement of migration) await statement.execute(db);
}

/**
 * Checks that these migrations were applied. The database may have more.
 * @throws NotMigratedError
 */
export async function requireMigrations<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('schema_migration') is not null as exists`.execute(
    db,
  );
  const applied = rows[0]?.exists ? await appliedNames(db as unknown as Kysely<MigrationTables>) : new Set<string>();
  const missing = Object.keys(migrations).filter((name) => !applied.has(name));
  if (missing.length > 0) throw new NotMigratedError(missing.sort());
}

async function appliedNames(db: Kysely<MigrationTables>): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('schema_migration').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}

async function appliedMigrations(connection: Kysely<MigrationTables>): Promise<ReadonlySet<string>> {
  try {
    await sql`create table if not exists schema_migration (
      name text primary key,
      applied_at timestamptz not null default now()
    )`.execute(connection);
    return await appliedNames(connection);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new NotOwnerError(`The user of the migrations has too few rights (${message})`, error);
  }
}

async function ownsTables(connection: Kysely<MigrationTables>): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'schema_migration'::regclass`.execute(
    connection,
  );
  return rows[0]?.owns === true;
}
