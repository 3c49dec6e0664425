import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type FinanceTables } from '../tables.js';

/**
 * The audit, which is above this context, says up to when the public log is complete: it has every event of the ledger
 * that was stored until then. Null: the log cannot go on, and no month is closed.
 */
export class NoteLogReach extends Command<void> {
  constructor(readonly until: Date | null) {
    super();
  }
}

@CommandHandler(NoteLogReach)
export class NoteLogReachHandler implements ICommandHandler<NoteLogReach> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<FinanceTables>) {}

  async execute({ until: complete_until }: NoteLogReach): Promise<void> {
    await this.db
      .insertInto('log_reach')
      .values({ name: 'log', complete_until })
      .onConflict((row) => row.column('name').doUpdateSet({ complete_until }))
      .execute();
  }
}
