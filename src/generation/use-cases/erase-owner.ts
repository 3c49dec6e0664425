import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { ClosedOwners } from '../closed-owners.js';
import { ERASED_TEXTS, ImageRows } from '../rows/image-rows.js';
import { MESSAGES } from '../messages.js';
import { type GenerationTables } from '../tables.js';
import { DeletedMedia } from '../images/deleted-media.js';

export interface ErasedOwner {
  /** Generations whose prompt and image were erased by this call. */
  readonly images: number;
  /** Images whose files were deleted by this call. */
  readonly files: number;
  /** Refused prompts that were deleted. */
  readonly refusals: number;
  /** Reports that lost the note of this user or the prompt of an image of this user. */
  readonly reports: number;
  /** Generations in progress, which are not erased. Repeat the command when they have ended. */
  readonly pending: number;
}

const ROWS_PER_STATEMENT = 500;
const FILES_AT_ONCE = 20;

/**
 * Erases what a user wrote and created: prompts, error texts that may quote them, images, notes about tests, refused
 * prompts, and the copies in reports. The rows stay for the credits. Repeating it continues where an earlier call
 * stopped.
 * @throws Error when a file could not be deleted
 */
export class EraseOwner extends CommandOf<{ readonly userId: string }, ErasedOwner> {}

@CommandHandler(EraseOwner)
export class EraseOwnerHandler implements ICommandHandler<EraseOwner> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: ImageRows,
    private readonly owners: ClosedOwners,
    private readonly media: DeletedMedia,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { userId } }: EraseOwner): Promise<ErasedOwner> {
    const images = await this.eraseRows(userId);
    const files = await this.deleteFiles(userId);
    const { numDeletedRows } = await this.db
      .deleteFrom('moderation_refusal')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    await this.eraseDecisions(userId);
    const reports = await this.eraseReports(userId);
    const pending = await this.countPending(userId);
    if (pending === 0) await this.owners.markErased(userId);
    return { images, files, refusals: Number(numDeletedRows), reports, pending };
  }

  private async eraseRows(userId: string): Promise<number> {
    const now = this.clock.now();
    for (let erased = 0; ;) {
      const { numUpdatedRows } = await this.db
        .updateTable('generation')
        .set({
          deleted_at: sql<Date>`coalesce(deleted_at, ${now}::timestamptz)`,
          updated_at: now,
          ...ERASED_TEXTS,
          moderation_note: sql<string | null>`case when moderation_note is not null then '' end`,
          error_message: sql<string | null>`case when error_message is null then null else ${MESSAGES.erased} end`,
        })
        .where('id', 'in', (select) =>
          select
            .selectFrom('generation')
            .select('id')
            .where('user_id', '=', userId)
            .where('status', '<>', 'pending')
            .where((row) =>
              row.or([
                row('deleted_at', 'is', null),
                row('prompt', '<>', ''),
                row('output_url', 'is not', null),
                row('test_note', 'is not', null),
                row('moderation_note', '<>', ''),
                row('error_message', '<>', MESSAGES.erased),
              ]),
            )
            .limit(ROWS_PER_STATEMENT),
        )
        .executeTakeFirstOrThrow();
      erased += Number(numUpdatedRows);
      if (numUpdatedRows < BigInt(ROWS_PER_STATEMENT)) return erased;
    }
  }

  private async deleteFiles(userId: string): Promise<number> {
    for (let deleted = 0; ;) {
      const rows = await this.db
        .selectFrom('generation')
        .select(['id', 'image'])
        .where('user_id', '=', userId)
        .where('deleted_at', 'is not', null)
        .where('image', 'is not', null)
        .limit(FILES_AT_ONCE)
        .execute();
      if (rows.length === 0) return deleted;
      for (const row of rows) {
        if (!(await this.media.removeFiles(row))) throw new Error('The files of an image could not be deleted.');
        await this.rows.clearImage(row.id);
        deleted += 1;
      }
    }
  }

  private async countPending(userId: string): Promise<number> {
    const { pending } = await this.db
      .selectFrom('generation')
      .select((select) => select.fn.countAll<number>().as('pending'))
      .where('user_id', '=', userId)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    return pending;
  }

  /** The refusals' cases, and what decisions about images of this user hold for their undo. */
  private async eraseDecisions(userId: string): Promise<void> {
    await sql`
      with cases as (delete from moderation_case where maker_id = ${userId} and kind = 'refusal'),
        decisions as (delete from moderation_decision where maker_id = ${userId}),
        strikes as (delete from generation_strike where user_id = ${userId})
      delete from generation_suspension where user_id = ${userId}`.execute(this.db);
  }

  private async eraseReports(userId: string): Promise<number> {
    const notes = await this.db
      .updateTable('generation_report')
      .set({ note: '' })
      .where('user_id', '=', userId)
      .where('note', '<>', '')
      .executeTakeFirstOrThrow();
    const prompts = await this.db
      .updateTable('generation_report')
      .set({ prompt: '' })
      .where('prompt', '<>', '')
      .where('generation_id', 'in', (select) =>
        select.selectFrom('generation').select('id').where('user_id', '=', userId),
      )
      .executeTakeFirstOrThrow();
    return Number(notes.numUpdatedRows + prompts.numUpdatedRows);
  }
}
