import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type DueCondition } from '../../platform/due-work.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type IdentityTables } from '../tables.js';

/** Whether {@link ListDeletedUsers} finds a user. */
export const deletedUserIsDue: DueCondition = () =>
  sql<boolean>`exists (select from app_user where deleted_at is not null and closing_began_at is null)`;

/** Ids of deleted users whose erasure has not begun (`NoteClosing`), the earliest deletion first. */
export class ListDeletedUsers extends QueryOf<{ readonly limit: number }, readonly string[]> {}

@QueryHandler(ListDeletedUsers)
export class ListDeletedUsersHandler extends ReadHandler<IdentityTables, ListDeletedUsers> {
  async execute({ input: { limit } }: ListDeletedUsers): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('app_user')
      .select('id')
      .where('deleted_at', 'is not', null)
      .where('closing_began_at', 'is', null)
      .orderBy('deleted_at')
      .limit(limit)
      .execute();
    return rows.map((row) => row.id);
  }
}
