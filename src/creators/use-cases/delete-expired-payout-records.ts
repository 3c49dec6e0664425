import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** Deletes the payout records whose term is over, with the payout details. Returns their number. */
export class DeleteExpiredPayoutRecords extends Command<number> {}

@CommandHandler(DeleteExpiredPayoutRecords)
export class DeleteExpiredPayoutRecordsHandler implements ICommandHandler<DeleteExpiredPayoutRecords> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<number> {
    const expired = await this.db
      .selectFrom('creator_payout_record')
      .select('creator_id')
      .where('kept_until', '<=', this.clock.now())
      .execute();
    if (expired.length === 0) return 0;
    const ids = expired.map((row) => row.creator_id);
    await this.db.transaction().execute(async (trx) => {
      for (const table of ['creator_payout_details', 'creator_payout_change', 'creator_payout_record'] as const) {
        await trx.deleteFrom(table).where('creator_id', 'in', ids).execute();
      }
    });
    return ids.length;
  }
}
