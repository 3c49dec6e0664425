import { QueryHandler } from '@nestjs/cqrs';
import { type GenerationCredits } from '../../contract/generation.js';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { GetImageEarning } from '../../revenue/index.js';
import { type GenerationTables } from '../tables.js';

/**
 * The credits that a finished generation of a user used, and what they earned. Null when it is not finished, deleted, a
 * test, or of another user.
 */
export class GetOwnCredits extends QueryOf<
  { readonly userId: string; readonly generationId: string },
  GenerationCredits | null
> {}

@QueryHandler(GetOwnCredits)
export class GetOwnCreditsHandler extends ReadHandler<GenerationTables, GetOwnCredits> {
  async execute({ input: { userId, generationId } }: GetOwnCredits): Promise<GenerationCredits | null> {
    if (!isUuid(generationId)) return null;
    const row = await this.db
      .selectFrom('generation')
      .select(['cost', 'credit_type_used'])
      .where('id', '=', generationId)
      .where('user_id', '=', userId)
      .where('status', '=', 'completed')
      .where('deleted_at', 'is', null)
      .where('is_test', '=', false)
      .executeTakeFirst();
    if (!row) return null;
    const { cost, credit_type_used: kind } = row;
    const free = kind === 'daily' || kind === 'bonus';
    const earning = free
      ? { paidCredits: 0, creatorCents: 0 }
      : await this.queries.execute(new GetImageEarning({ userId, generationId }));
    return {
      credits: cost,
      kind,
      paid_credits: earning?.paidCredits ?? null,
      creator_cents: earning?.creatorCents ?? null,
    };
  }
}
