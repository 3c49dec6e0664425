import { type Pool } from 'pg';
import pg from 'pg';
import { NEEDED_SETTINGS } from './session.js';

/**
 * Makes the settings of a request's session the defaults of the current user in this database: a pooler in transaction
 * mode gives each transaction any of its sessions, so none can be set for a client. Sessions that the pooler opened
 * before keep their settings until it replaces them. A user may change its own defaults.
 * @param direct connects without the pooler
 * @param statementMs time limit of a statement, milliseconds
 */
export async function setPooledDefaults(direct: Pool, statementMs: number): Promise<void> {
  const wanted = new Map(
    Object.entries({
      ...NEEDED_SETTINGS,
      statement_timeout: String(statementMs),
      idle_in_transaction_session_timeout: '30000',
    }),
  );
  const { rows } = await direct.query<{ user: string; database: string; present: readonly string[] }>(
    `select current_user as user, current_database() as database, coalesce((
       select s.setconfig from pg_db_role_setting s
       where s.setrole = (select oid from pg_roles where rolname = current_user)
         and s.setdatabase = (select oid from pg_database where datname = current_database())), '{}') as present`,
  );
  const { user, database, present } = rows[0]!;
  for (const [name, value] of wanted) {
    if (present.some((setting) => setting.toLowerCase() === `${name}=${value}`.toLowerCase())) continue;
    await direct.query(
      `alter role ${pg.escapeIdentifier(user)} in database ${pg.escapeIdentifier(database)}
       set ${pg.escapeIdentifier(name)} = ${settingValue(value)}`,
    );
  }
}

/** `datestyle` is a list: a literal of two words would be one unknown style. */
function settingValue(value: string): string {
  return value
    .split(', ')
    .map((word) => pg.escapeLiteral(word))
    .join(', ');
}
