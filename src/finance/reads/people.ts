import { type Kysely, sql } from 'kysely';
import { type FinanceTables } from '../tables.js';

/** Names of people by their ids, without deleted accounts. At most one statement. */
export async function namesOf(
  db: Kysely<FinanceTables>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string | null>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, name from app_user where id = any(${wanted}::text[]) and deleted_at is null`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The name of a person; null without an id or a name. */
export function nameIn(names: ReadonlyMap<string, string | null>, id: string | null): string | null {
  return id === null ? null : (names.get(id) ?? null);
}
