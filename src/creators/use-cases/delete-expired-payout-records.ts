import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** Deletes the payout records whose term is over. Returns their number. */
export class DeleteExpiredPayoutRecords extends Command<number> {}

@CommandHandler(DeleteExpiredPayoutRecords)
export class DeleteExpiredPayoutRecordsHandler implements ICommandHandler<DeleteExpiredPayoutRecords> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('creator_payout_record')
      .where('kept_until', '<=', this.clock.now())
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
