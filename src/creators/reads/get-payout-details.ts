import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { PAYOUT_HOLD_DAYS } from '../../contract/creator-controls.js';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { PayoutCipher } from '../payout/payout-cipher.js';
import { type PayoutFields } from '../payout/payout-rules.js';
import { type CreatorTables } from '../tables.js';

/** When payout details may be used. Says nothing about their content. */
interface PayoutDetailsDates {
  readonly changedAt: Date;
  /** Changed details are used from this instant on. */
  readonly usableFrom: Date;
}

/** The dates of creators' payout details, also of creators who have withdrawn or closed. Others are left out. */
export class GetPayoutDetailsDates extends QueryOf<readonly string[], ReadonlyMap<string, PayoutDetailsDates>> {}

@QueryHandler(GetPayoutDetailsDates)
export class GetPayoutDetailsDatesHandler extends ReadHandler<CreatorTables, GetPayoutDetailsDates> {
  async execute({ input: creatorIds }: GetPayoutDetailsDates): Promise<ReadonlyMap<string, PayoutDetailsDates>> {
    const ids = creatorIds.filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('creator_payout_details')
      .select(['creator_id', 'changed_at'])
      .where(sql<boolean>`creator_id = any(${ids}::uuid[])`)
      .execute();
    return new Map(rows.map(({ creator_id: id, changed_at: changedAt }) => [id, datesOf(changedAt)]));
  }
}

/** Payout details in full, with their dates. */
interface OpenedDetails extends PayoutDetailsDates {
  readonly fields: PayoutFields;
}

/**
 * The payout details of creators in full, for a file that goes to the bank. Also of creators who have withdrawn or
 * closed. Creators without details are left out. Never log the answer.
 * @throws DomainError unavailable without the key
 */
export class OpenPayoutDetails extends QueryOf<readonly string[], ReadonlyMap<string, OpenedDetails>> {}

@QueryHandler(OpenPayoutDetails)
export class OpenPayoutDetailsHandler implements IQueryHandler<OpenPayoutDetails> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly cipher: PayoutCipher,
  ) {}

  async execute({ input: creatorIds }: OpenPayoutDetails): Promise<ReadonlyMap<string, OpenedDetails>> {
    const ids = creatorIds.filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('creator_payout_details')
      .selectAll()
      .where(sql<boolean>`creator_id = any(${ids}::uuid[])`)
      .execute();
    const opened = await Promise.all(
      rows.map(async ({ creator_id: id, key_id: keyId, sealed, changed_at: changedAt }) => {
        return [id, { fields: await this.cipher.open(id, { keyId, sealed }), ...datesOf(changedAt) }] as const;
      }),
    );
    return new Map(opened);
  }
}

function datesOf(changedAt: Date): PayoutDetailsDates {
  return { changedAt, usableFrom: new Date(changedAt.getTime() + PAYOUT_HOLD_DAYS * 86_400_000) };
}
