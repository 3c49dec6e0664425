import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { type CreatorForUser, toCreatorForUser } from './creator.js';

/** The creator's id, or the deployment or model version of the creator. */
export type CreatorReference = string | { readonly model: string };

/** The creator whose style a user asks for, in any status, and whether the user is this creator. Null when unknown. */
export class GetCreatorForUser extends QueryOf<
  { readonly creator: CreatorReference; readonly userId: string },
  CreatorForUser | null
> {}

@QueryHandler(GetCreatorForUser)
export class GetCreatorForUserHandler extends ReadHandler<CreatorTables, GetCreatorForUser> {
  async execute({ input: { creator, userId } }: GetCreatorForUser): Promise<CreatorForUser | null> {
    if (typeof creator === 'string' && !isUuid(creator)) return null;
    const row = await this.db
      .selectFrom('creator')
      .selectAll()
      .select((select) =>
        jsonArrayFrom(
          select
            .selectFrom('creator_blocked_term as blocked')
            .select([sql<string>`blocked.id::text`.as('id'), 'blocked.term'])
            .whereRef('blocked.creator_id', '=', 'creator.id')
            .orderBy('blocked.added_at'),
        ).as('blocked_terms'),
      )
      .where((where) =>
        typeof creator === 'string'
          ? where('id', '=', creator)
          : where.or([where('deployment_name', '=', creator.model), where('lora_id', '=', creator.model)]),
      )
      .executeTakeFirst();
    return row ? toCreatorForUser(row, userId) : null;
  }
}
