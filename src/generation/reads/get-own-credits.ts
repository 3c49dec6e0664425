import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type GenerationCredits } from '../../contract/generation.js';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { GetImageEarning } from '../../revenue/index.js';
import { type GenerationTables } from '../tables.js';

/**
 * The credits that a finished generation of a user used, and what they earned. Null when it is not finished, deleted, a
 * test, or of another user.
 */
export class GetOwnCredits extends Query<GenerationCredits | null> {
  constructor(readonly input: { readonly userId: string; readonly generationId: string }) {
    super();
  }
}

@QueryHandler(GetOwnCredits)
export class GetOwnCreditsHandler implements IQueryHandler<GetOwnCredits> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly queries: QueryBus,
  ) {}

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
