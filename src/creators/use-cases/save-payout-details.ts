import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { PayoutCipher, type SealedDetails } from '../payout/payout-cipher.js';
import { changedFields, parsePayoutFields, type PayoutFields } from '../payout/payout-rules.js';
import { type CreatorTables } from '../tables.js';

/**
 * Replaces the payout details of the creator that a user is, and logs which of them changed. Equal details change
 * nothing.
 * @throws DomainError unprocessable for a wrong field, forbidden for fans, unavailable without the key
 */
export class SavePayoutDetails extends Command<void> {
  constructor(readonly input: { readonly userId: string; readonly fields: PayoutFields }) {
    super();
  }
}

@CommandHandler(SavePayoutDetails)
export class SavePayoutDetailsHandler implements ICommandHandler<SavePayoutDetails> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly cipher: PayoutCipher,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
  ) {}

  async execute({ input }: SavePayoutDetails): Promise<void> {
    const fields = parsePayoutFields(input.fields);
    await this.db.transaction().execute(async (trx) => {
      // Saves of one creator wait for each other here.
      const creator = await trx
        .selectFrom('creator')
        .select('id')
        .where('clerk_id', '=', input.userId)
        .where('creator_status', '=', 'active')
        .where('closed_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!creator) throw new DomainError('forbidden', CONTROL_MESSAGES.notCreator);
      const { id } = creator;
      const { known, any } = await readStored(trx, id);
      const before = known && (await this.cipher.open(id, known));
      const changed = changedFields(before, fields);
      if (changed.length === 0) return;
      const after = await this.cipher.seal(id, fields, { mayCreateKey: !any });
      const now = this.clock.now();
      const stored = { key_id: after.keyId, sealed: after.sealed, changed_at: now };
      await trx
        .with('saved', (db) =>
          db
            .insertInto('creator_payout_details')
            .values({ creator_id: id, ...stored })
            .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(stored)),
        )
        .insertInto('creator_payout_change')
        .values({ id: this.ids.next(), creator_id: id, at: now, changed })
        .execute();
    });
  }
}

/** The stored details of a creator, and whether any are stored: their key must then exist. */
async function readStored(
  db: Kysely<CreatorTables>,
  creatorId: string,
): Promise<{ readonly known: SealedDetails | null; readonly any: boolean }> {
  const { rows } = await sql<{ known: { key_id: string; sealed: string } | null; any: boolean }>`
    select exists (select from creator_payout_details) as any,
      (select jsonb_build_object('key_id', key_id, 'sealed', encode(sealed, 'base64'))
       from creator_payout_details where creator_id = ${creatorId}::uuid) as known`.execute(db);
  const known = rows[0]?.known;
  return {
    known: known ? { keyId: known.key_id, sealed: Buffer.from(known.sealed, 'base64') } : null,
    any: rows[0]?.any ?? true,
  };
}
