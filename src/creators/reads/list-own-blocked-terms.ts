import { QueryHandler } from '@nestjs/cqrs';
import { type BlockedTerm } from '../../contract/creators.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { monthOf } from '../blocked-term.js';
import { type CreatorTables } from '../tables.js';

/** The words and phrases that a creator blocks, the latest first. Empty for fans. */
export class ListOwnBlockedTerms extends QueryOf<{ readonly userId: string }, BlockedTerm[]> {}

@QueryHandler(ListOwnBlockedTerms)
export class ListOwnBlockedTermsHandler extends ReadHandler<CreatorTables, ListOwnBlockedTerms> {
  async execute({ input: { userId } }: ListOwnBlockedTerms): Promise<BlockedTerm[]> {
    const rows = await this.db
      .selectFrom('creator')
      .innerJoin('creator_blocked_term as blocked', 'blocked.creator_id', 'creator.id')
      .leftJoin('creator_blocked_stop as stop', (join) =>
        join.onRef('stop.term_id', '=', 'blocked.id').on('stop.month', '=', monthOf(this.clock.now())),
      )
      .select(['blocked.id', 'blocked.term', 'blocked.added_at', 'stop.stopped'])
      .where('creator.clerk_id', '=', userId)
      .orderBy('blocked.added_at', 'desc')
      .orderBy('blocked.id', 'desc')
      .execute();
    return rows.map(({ id, term, added_at: addedAt, stopped }) => ({
      id,
      term,
      added_at: addedAt.toISOString(),
      stopped: stopped ?? 0,
    }));
  }
}
