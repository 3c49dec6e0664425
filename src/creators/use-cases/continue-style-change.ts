import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** Records that a change of the consent is complete for the images (`dueAt` null), or when its work continues. */
export class ContinueStyleChange extends Command<void> {
  constructor(readonly input: { readonly creatorId: string; readonly changedAt: Date; readonly dueAt: Date | null }) {
    super();
  }
}

@CommandHandler(ContinueStyleChange)
export class ContinueStyleChangeHandler implements ICommandHandler<ContinueStyleChange> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { creatorId, changedAt, dueAt } }: ContinueStyleChange): Promise<void> {
    await this.db
      .updateTable('creator')
      .set({ style_due_at: dueAt, ...(dueAt === null ? { style_changed_at: null } : {}) })
      .where('id', '=', creatorId)
      // A later change has work of its own.
      .where('style_changed_at', '=', changedAt)
      .execute();
  }
}
