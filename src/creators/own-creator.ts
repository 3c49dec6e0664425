import { type Kysely, type Selectable } from 'kysely';
import { CONTROL_MESSAGES } from '../contract/creator-controls.js';
import { DomainError } from '../platform/domain-error.js';
import { type CreatorTables } from './tables.js';

/**
 * The approved creator that a user is.
 * @throws DomainError forbidden for everyone else
 */
export async function requireOwnCreator(
  db: Kysely<CreatorTables>,
  userId: string,
): Promise<Selectable<CreatorTables['creator']>> {
  const row = await db
    .selectFrom('creator')
    .selectAll()
    .where('clerk_id', '=', userId)
    .where('creator_status', '=', 'active')
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
  return row;
}
