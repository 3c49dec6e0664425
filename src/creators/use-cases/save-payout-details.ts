import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { SYSTEM_ACTOR } from '../../platform/acts/actor.js';
import { Acts } from '../../platform/acts/acts.js';
import { newSalt, sealRow } from '../../platform/acts/sealed-rows.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { PayoutCipher, type SealedDetails } from '../payout/payout-cipher.js';
import { changedFields, parsePayoutFields, type PayoutFields } from '../payout/payout-rules.js';
import { SEALED_PAYOUT_DETAILS } from '../sealed-tables.js';
import { type CreatorTables } from '../tables.js';

/** Saves of one creator at the same time are repeated. */
const MAX_ATTEMPTS = 3;

/**
 * Replaces the payout details of the creator that a user is, and logs which of them changed. Equal details change
 * nothing.
 * @throws DomainError unprocessable for a wrong field, forbidden for fans, unavailable without the key
 */
export class SavePayoutDetails extends CommandOf<{ readonly userId: string; readonly fields: PayoutFields }, void> {}

@CommandHandler(SavePayoutDetails)
export class SavePayoutDetailsHandler implements ICommandHandler<SavePayoutDetails> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly cipher: PayoutCipher,
    private readonly acts: Acts,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: SavePayoutDetails): Promise<void> {
    const fields = parsePayoutFields(input.fields);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (await this.save(input.userId, fields)) return;
    }
    throw new DomainError('conflict', CONTROL_MESSAGES.payoutChanged, { code: '55000' });
  }

  /** False when another save came between the read and the write. */
  private async save(userId: string, fields: PayoutFields): Promise<boolean> {
    const { id, known, any } = await this.read(userId);
    const changed = changedFields(known && (await this.cipher.open(id, known)), fields);
    if (changed.length === 0) return true;
    const { keyId, sealed } = await this.cipher.seal(id, fields, { mayCreateKey: !any });
    const now = this.clock.now();
    const salt = newSalt();
    return this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql`
      with saved as (
        insert into creator_payout_details as details (creator_id, key_id, sealed, changed_at, salt)
        values (${id}::uuid, ${keyId}, ${sealed}, ${now}::timestamptz, ${salt})
        on conflict (creator_id) do update set
          key_id = excluded.key_id, sealed = excluded.sealed, changed_at = excluded.changed_at, salt = excluded.salt
        where details.sealed = ${known?.sealed ?? null}::bytea
        returning creator_id
      )
      insert into creator_payout_change (id, creator_id, at, changed)
      select ${this.ids.next()}::uuid, creator_id, ${now}::timestamptz, ${changed}::text[] from saved
      returning id`.execute(transaction);
      if (rows.length === 0) return false;
      const row = { creator_id: id, key_id: keyId, sealed, changed_at: now };
      await this.acts.record(transaction, {
        kind: 'payout_details.saved',
        actor: SYSTEM_ACTOR,
        subject: { kind: 'creator', id },
        creatorId: id,
        rows: sealRow(SEALED_PAYOUT_DETAILS, row, salt),
      });
      return true;
    });
  }

  /** The creator, the stored details, and whether any creator has some: their key must then exist. */
  private async read(userId: string): Promise<{ id: string; known: SealedDetails | null; any: boolean }> {
    const row = await this.db
      .selectFrom('creator')
      .leftJoin('creator_payout_details as details', 'details.creator_id', 'creator.id')
      .select(['creator.id', 'details.key_id', 'details.sealed'])
      .select((select) =>
        select
          .selectFrom('creator_payout_details as first')
          .select('first.creator_id')
          .orderBy('first.creator_id')
          .limit(1)
          .as('first'),
      )
      .where('creator.clerk_id', '=', userId)
      .where('creator.creator_status', '=', 'active')
      .where('creator.closed_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
    const { id, key_id: keyId, sealed, first } = row;
    return { id, known: keyId !== null && sealed !== null ? { keyId, sealed } : null, any: first !== null };
  }
}
