import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

const BATCH = 500;

/**
 * Hides the images of a withdrawn creator: from now on only their owners see them. The reconciler moves their files to
 * new addresses. Returns the number of images that were hidden by this call.
 */
export class HideImagesOfCreator extends Command<number> {
  constructor(readonly input: { readonly creatorId: string }) {
    super();
  }
}

@CommandHandler(HideImagesOfCreator)
export class HideImagesOfCreatorHandler implements ICommandHandler<HideImagesOfCreator> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId } }: HideImagesOfCreator): Promise<number> {
    let hidden = 0;
    let before = { id: '', created_at: this.clock.now() };
    for (;;) {
      const page = await this.db
        .selectFrom('generation')
        .select(['id', 'created_at'])
        .where('creator_id', '=', creatorId)
        .$if(before.id !== '', (select) =>
          select.where((row) => row.eb(row.refTuple('created_at', 'id'), '<', row.tuple(before.created_at, before.id))),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(BATCH)
        .execute();
      const last = page.at(-1);
      if (!last) return hidden;
      before = last;
      const now = this.clock.now();
      const { numUpdatedRows } = await this.db
        .updateTable('generation')
        .set({ hidden_at: now, updated_at: now })
        .where(
          'id',
          'in',
          page.map(({ id }) => id),
        )
        .where('status', '=', 'completed')
        .where('hidden_at', 'is', null)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      hidden += Number(numUpdatedRows);
    }
  }
}
