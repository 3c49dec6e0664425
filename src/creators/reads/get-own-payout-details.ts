import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { PAYOUT_HOLD_DAYS } from '../../contract/creator-controls.js';
import { type PayoutDetails } from '../../contract/creators.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { QueryOf } from '../../platform/messages.js';
import { PayoutCipher } from '../payout/payout-cipher.js';
import { accountEnding } from '../payout/payout-rules.js';
import { type CreatorTables } from '../tables.js';

/** Changes that the answer lists. */
const MOST_CHANGES = 20;

/**
 * The payout details of the creator that a user is, with the end of the account only. Null for fans and before the
 * first details.
 * @throws DomainError unavailable without the key
 */
export class GetOwnPayoutDetails extends QueryOf<{ readonly userId: string }, PayoutDetails | null> {}

@QueryHandler(GetOwnPayoutDetails)
export class GetOwnPayoutDetailsHandler implements IQueryHandler<GetOwnPayoutDetails> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly cipher: PayoutCipher,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId } }: GetOwnPayoutDetails): Promise<PayoutDetails | null> {
    const row = await this.db
      .selectFrom('creator')
      .innerJoin('creator_payout_details as details', 'details.creator_id', 'creator.id')
      .select(['creator.id', 'details.key_id', 'details.sealed', 'details.changed_at'])
      .select((select) =>
        jsonArrayFrom(
          select
            .selectFrom('creator_payout_change as change')
            .select(['change.at', 'change.changed'])
            .whereRef('change.creator_id', '=', 'creator.id')
            .orderBy('change.at', 'desc')
            .limit(MOST_CHANGES),
        ).as('changes'),
      )
      .where('creator.clerk_id', '=', userId)
      .executeTakeFirst();
    if (!row) return null;
    const fields = await this.cipher.open(row.id, { keyId: row.key_id, sealed: row.sealed });
    const heldUntil = new Date(row.changed_at.getTime() + PAYOUT_HOLD_DAYS * 86_400_000);
    return {
      legal_name: fields.legal_name,
      country: fields.country,
      account_ending: accountEnding(fields.account),
      tax_status: fields.tax_status,
      changed_at: row.changed_at.toISOString(),
      held_until: heldUntil > this.clock.now() ? heldUntil.toISOString() : null,
      changes: row.changes.map(({ at, changed }) => ({ at: new Date(at).toISOString(), changed })),
    };
  }
}
