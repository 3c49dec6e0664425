import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { PAYOUT_HOLD_DAYS } from '../../contract/creator-controls.js';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { type CreatorTables } from '../tables.js';

/** When payout details may be used. Says nothing about their content. */
interface PayoutDetailsDates {
  readonly changedAt: Date;
  /** Changed details are used from this instant on. */
  readonly usableFrom: Date;
}

/** The dates of creators' payout details, also of creators who have withdrawn or closed. Others are left out. */
export class GetPayoutDetailsDates extends Query<ReadonlyMap<string, PayoutDetailsDates>> {
  constructor(readonly creatorIds: readonly string[]) {
    super();
  }
}

@QueryHandler(GetPayoutDetailsDates)
export class GetPayoutDetailsDatesHandler implements IQueryHandler<GetPayoutDetailsDates> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ creatorIds }: GetPayoutDetailsDates): Promise<ReadonlyMap<string, PayoutDetailsDates>> {
    const ids = creatorIds.filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('creator_payout_details')
      .select(['creator_id', 'changed_at'])
      .where('creator_id', 'in', ids)
      .execute();
    return new Map(rows.map(({ creator_id: id, changed_at: changedAt }) => [id, datesOf(changedAt)]));
  }
}

function datesOf(changedAt: Date): PayoutDetailsDates {
  return { changedAt, usableFrom: new Date(changedAt.getTime() + PAYOUT_HOLD_DAYS * 86_400_000) };
}
