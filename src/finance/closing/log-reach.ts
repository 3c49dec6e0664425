import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { replaceRows } from '../../platform/database/projected-table.js';
import { type FinanceTables, LOG_REACH } from '../tables.js';

/**
 * The audit, which is above this context, says up to when the public log is complete: it has every event of the ledger
 * that was stored until then. Null: the log cannot go on, and no month is closed.
 */
export class NoteLogReach extends CommandOf<Date | null, void> {}

@CommandHandler(NoteLogReach)
export class NoteLogReachHandler implements ICommandHandler<NoteLogReach> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<FinanceTables>) {}

  async execute({ input: complete_until }: NoteLogReach): Promise<void> {
    await replaceRows(LOG_REACH, [{ name: 'log', complete_until }], this.db);
  }
}
