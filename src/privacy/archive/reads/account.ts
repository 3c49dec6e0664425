import { type PersonalTables } from '../personal-tables.js';

/** The record of a person in the identity context. */
export async function readAccount(db: PersonalTables, userId: string): Promise<object> {
  const row = await db
    .selectFrom('app_user')
    .select(['email', 'name', 'image_url', 'roles', 'created_at', 'updated_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return {
    id: userId,
    email: row?.email ?? null,
    name: row?.name ?? null,
    picture_url: row?.image_url ?? null,
    roles: row?.roles ?? [],
    first_seen_at: row?.created_at ?? null,
    changed_at: row?.updated_at ?? null,
  };
}
