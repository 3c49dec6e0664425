import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
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
    const { rows } = await sql`
      with expired as (
        delete from creator_payout_record where kept_until <= ${this.clock.now()} returning creator_id
      ),
      details as (delete from creator_payout_details where creator_id in (select creator_id from expired)),
      changes as (delete from creator_payout_change where creator_id in (select creator_id from expired))
      select creator_id from expired`.execute(this.db);
    return rows.length;
  }
}
