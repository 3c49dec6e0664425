import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { pagesOfStyle } from '../images/images-of-style.js';
import { ERASED_TEXTS } from '../rows/image-rows.js';
import { trialOwner } from '../trials/model-trials.js';
import { type GenerationTables } from '../tables.js';

/**
 * Withholds the images of a withdrawn creator: `GenerationCleaner` moves their files to addresses that only their
 * owners learn. Trial pictures of models, which no person owns, are deleted with their files. Returns the number of
 * images that this call withheld.
 */
export class WithholdImages extends CommandOf<
  {
    readonly creatorId: string;
    /** Only images that began at this instant or later; null for all. */
    readonly since: Date | null;
  },
  number
> {}

@CommandHandler(WithholdImages)
export class WithholdImagesHandler implements ICommandHandler<WithholdImages> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, since } }: WithholdImages): Promise<number> {
    let withheld = 0;
    for await (const ids of pagesOfStyle(this.db, creatorId, since)) {
      const now = this.clock.now();
      await this.db
        .updateTable('generation')
        .set({ deleted_at: now, updated_at: now, ...ERASED_TEXTS })
        .where('id', 'in', [...ids])
        .where('user_id', '=', trialOwner(creatorId))
        .where('status', '<>', 'pending')
        .where('deleted_at', 'is', null)
        .execute();
      const { numUpdatedRows } = await this.db
        .updateTable('generation')
        .set({ withheld_at: now, updated_at: now })
        .where('id', 'in', [...ids])
        .where('status', '=', 'completed')
        .where('withheld_at', 'is', null)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      withheld += Number(numUpdatedRows);
    }
    return withheld;
  }
}
