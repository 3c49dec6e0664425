import { type Kysely, sql } from 'kysely';
import pg, { type Pool } from 'pg';
import { MIGRATION_LOCK } from './migrate.js';
import { createDatabase } from './pool.js';
import { NEEDED_SETTINGS } from './session.js';

/**
 * Makes the settings of a request's session the defaults of the current user in this database: a pooler in transaction
 * mode gives each transaction any of its sessions, so none can be set for a client. Sessions that the pooler opened
 * before keep their settings until it replaces them. A user may change its own defaults.
 * @param direct connects without the pooler
 * @param statementMs time limit of a statement, milliseconds
 */
export async function setPooledDefaults(direct: Pool, statementMs: number): Promise<void> {
  const wanted = Object.entries({
    ...NEEDED_SETTINGS,
    statement_timeout: String(statementMs),
    idle_in_transaction_session_timeout: '30000',
  });
  const db = createDatabase<unknown>(direct);
  // A usual start waits for no lock, which the migrations of another process may hold for long.
  if ((await missingDefaults(db, wanted)).length === 0) return;
  await db.transaction().execute(async (trx) => {
    // Postgres refuses two changes of one user at once.
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    for (const statement of await missingDefaults(trx, wanted)) await statement.execute(trx);
  });
}

/** The statements that set what the user's defaults lack. */
async function missingDefaults(db: Kysely<unknown>, wanted: readonly (readonly [string, string])[]) {
  const { rows } = await sql<{ user: string; database: string; present: readonly string[] }>`
    select current_user as user, current_database() as database, coalesce((
      select s.setconfig from pg_db_role_setting s
      where s.setrole = (select oid from pg_roles where rolname = current_user)
        and s.setdatabase = (select oid from pg_database where datname = current_database())), '{}') as present`.execute(
    db,
  );
  const { user, database, present } = rows[0]!;
  const known = new Set(present.map((setting) => setting.toLowerCase()));
  return wanted
    .filter(([name, value]) => !known.has(`${name}=${value}`.toLowerCase()))
    .map(
      ([name, value]) =>
        sql`alter role ${sql.id(user)} in database ${sql.id(database)} set ${sql.id(name)} = ${sql.raw(literalOf(value))}`,
    );
}

/** `datestyle` is a list: a literal of two words would be one unknown style. */
function literalOf(value: string): string {
  return value
    .split(', ')
    .map((word) => pg.escapeLiteral(word))
    .join(', ');
}
