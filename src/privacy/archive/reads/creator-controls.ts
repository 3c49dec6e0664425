import { type QueryBus } from '@nestjs/cqrs';
import { GetOwnPayoutDetails } from '../../../creators/index.js';
import { DomainError } from '../../../platform/domain-error.js';
import { type PersonalTables } from '../personal-tables.js';

/** The settings of a creator's own controls. */
export interface CreatorControls {
  readonly blocked_words: readonly object[];
  readonly payout_details: object | null;
  readonly kept_out_of_gallery: readonly object[];
  readonly take_down_requests: readonly object[];
}

/** The controls of a creator. Payout details are as their owner sees them: with the end of the account only. */
export async function readCreatorControls(
  db: PersonalTables,
  queries: QueryBus,
  { userId, creatorId }: { readonly userId: string; readonly creatorId: string },
): Promise<CreatorControls> {
  const blocked = await db
    .selectFrom('creator_blocked_term as blocked')
    .leftJoin('creator_blocked_stop as stop', 'stop.term_id', 'blocked.id')
    .select(['blocked.term', 'blocked.added_at', 'stop.month', 'stop.stopped'])
    .where('blocked.creator_id', '=', creatorId)
    .orderBy('blocked.added_at')
    .orderBy('stop.month')
    .execute();
  const aside = await db
    .selectFrom('gallery_set_aside')
    .select(['generation_id', 'hidden_at', 'taken_down_at'])
    .where('creator_id', '=', creatorId)
    .orderBy('generation_id')
    .execute();
  const requests = await db
    .selectFrom('generation_take_down')
    .select(['generation_id', 'reason', 'requested_at', 'due_at', 'decision', 'decided_at', 'note'])
    .where('creator_id', '=', creatorId)
    .orderBy('requested_at')
    .execute();
  return {
    blocked_words: blocked,
    payout_details: await readPayoutDetails(queries, userId),
    kept_out_of_gallery: aside,
    take_down_requests: requests,
  };
}

async function readPayoutDetails(queries: QueryBus, userId: string): Promise<object | null> {
  try {
    return await queries.execute(new GetOwnPayoutDetails({ userId }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { error: error.message };
  }
}
