import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { pagesOfStyle } from '../images/images-of-style.js';
import { type GenerationTables } from '../tables.js';

/** Ends the withholding of images whose creator has given the consent again at an instant. */
export class ReleaseImages extends CommandOf<{ readonly creatorId: string; readonly at: Date }, void> {}

@CommandHandler(ReleaseImages)
export class ReleaseImagesHandler implements ICommandHandler<ReleaseImages> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { creatorId, at } }: ReleaseImages): Promise<void> {
    for await (const ids of pagesOfStyle(this.db, creatorId)) {
      await this.db
        .updateTable('generation')
        .set({
          withheld_at: null,
          // Since that instant everyone with the link learns the present addresses, unless the image was hidden before.
          media_moved_at: sql<Date | null>`case when least(hidden_at, taken_down_at, moderated_at) < ${at} then media_moved_at end`,
        })
        .where('id', 'in', [...ids])
        .where('withheld_at', 'is not', null)
        .execute();
    }
  }
}
