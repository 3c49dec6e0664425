import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { type ImageInfo } from '../../contract/media.js';
import { type GenerationRow } from '../tables.js';
import { type Changes, GenerationRows } from './generation-rows.js';

/** Since when only the owner and admins see a completed image. Must equal the expression of the index. */
const PRIVATE_SINCE = sql<Date | null>`least(hidden_at, taken_down_at, withheld_at, moderated_at)`;

/** An erased image has none of these. The hashes in the ledger say nothing without the salt. */
export const ERASED_TEXTS = { prompt: '', salt: null, output_url: null, test_note: null } as const;

/** When a file is to be deleted. Must equal the expression of the index. */
const NEXT_REMOVAL = sql<Date>`coalesce(retry_at, remove_at)`;

/** An ended generation that others may no longer see: hidden, moderated, deleted, and the removal of its files. */
@Injectable()
export class ImageRows extends GenerationRows {
  /** Shows a hidden generation of this user again. Undefined when there is none, and while others hide it. */
  async show(id: string, userId: string): Promise<GenerationRow | undefined> {
    // Viewers receive the addresses again, so the next `hide` must move the files to new ones.
    return this.ofOwner(id, userId, { hidden_at: null, media_moved_at: null })
      .where('taken_down_at', 'is', null)
      .where('moderated_at', 'is', null)
      .executeTakeFirst();
  }

  /**
   * Hides a completed generation of this user. Undefined when there is none. Schedules the copies of its files in this
   * folder for deletion at `removeAt`, unless the files have moved already.
   */
  async hide(
    id: string,
    userId: string,
    copies: { readonly folder: string; readonly removeAt: Date },
  ): Promise<GenerationRow | undefined> {
    const hidden_at = sql<Date>`coalesce(hidden_at, ${this.clock.now()})`;
    return this.db
      .with('hidden', () => this.ofOwner(id, userId, { hidden_at }))
      .with('scheduled', (db) =>
        db
          .insertInto('generation_media_removal')
          .columns(['name', 'remove_at'])
          .expression((row) =>
            row
              .selectFrom('hidden')
              .where('media_moved_at', 'is', null)
              .select([
                sql<string>`${copies.folder} || '/' || split_part(jsonb_array_elements(image -> 'sources') ->> 'url', '/', 4)`.as(
                  'name',
                ),
                sql<Date>`${copies.removeAt}::timestamptz`.as('remove_at'),
              ]),
          ),
      )
      .selectFrom('hidden')
      .selectAll()
      .executeTakeFirst();
  }

  private ofOwner(id: string, userId: string, changes: Changes) {
    return this.update(id, { ...changes, updated_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('status', '=', 'completed')
      .where('is_test', '=', false)
      .where('deleted_at', 'is', null);
  }

  /**
   * Images that are hidden, taken down, withheld or moderated, whose files still have the addresses that others may
   * know; those first that wait for the longest time.
   */
  async withMediaToMove(limit: number, skip: number): Promise<GenerationRow[]> {
    return (
      this.db
        .selectFrom('generation')
        .selectAll()
        // Must equal the predicate of the partial index.
        .where(sql<boolean>`${PRIVATE_SINCE} is not null and media_moved_at is null and deleted_at is null`)
        .orderBy(PRIVATE_SINCE)
        .orderBy('id')
        .limit(limit)
        .offset(skip)
        .execute()
    );
  }

  /** Schedules the deletion of files. A file that is scheduled already keeps its instant. */
  async scheduleRemoval(names: readonly string[], removeAt: Date): Promise<void> {
    await this.db
      .insertInto('generation_media_removal')
      .values(names.map((name) => ({ name, remove_at: removeAt })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /**
   * Stores the copied files in a hidden image, and schedules the originals for deletion. Undefined when the image was
   * shown, deleted or moved meanwhile, or when a copy was deleted. The copies then stay scheduled for deletion.
   */
  async moveMedia(
    row: Pick<GenerationRow, 'id' | 'image'>,
    image: ImageInfo,
    files: readonly { readonly from: string; readonly to: string }[],
  ): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    const copies = files.map(({ to }) => to);
    return this.db
      .with('moved', (db) =>
        db
          .updateTable('generation')
          .set({ image: JSON.stringify(image), media_moved_at: now, updated_at: now })
          .where('id', '=', row.id)
          .where(PRIVATE_SINCE, 'is not', null)
          .where('media_moved_at', 'is', null)
          .where('deleted_at', 'is', null)
          .where(sql<string>`image ->> 'url'`, '=', row.image?.url ?? '')
          .where(
            (row) =>
              row
                .selectFrom('generation_media_removal')
                .select((copy) => copy.fn.countAll<number>().as('copies'))
                .where('name', '=', anyOf(copies)),
            '=',
            files.length,
          )
          .returningAll(),
      )
      .with('kept', (db) =>
        db
          .deleteFrom('generation_media_removal')
          .where('name', '=', anyOf(copies))
          .where((row) => row.exists(row.selectFrom('moved').select('id'))),
      )
      .with('replaced', (db) =>
        db
          .insertInto('generation_media_removal')
          .columns(['name', 'remove_at'])
          .expression((row) =>
            row
              .selectFrom('moved')
              .select([
                sql<string>`unnest(${files.map(({ from }) => from)}::text[])`.as('name'),
                sql<Date>`${now}::timestamptz`.as('remove_at'),
              ]),
          )
          .onConflict((conflict) => conflict.doNothing()),
      )
      .selectFrom('moved')
      .selectAll()
      .executeTakeFirst();
  }

  /** Files to delete now, the longest due first. One that could not be deleted is due again at its next try. */
  async dueRemovals(limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('generation_media_removal')
      .select('name')
      .where(NEXT_REMOVAL, '<=', this.clock.now())
      .orderBy(NEXT_REMOVAL)
      .limit(limit)
      .execute();
    return rows.map(({ name }) => name);
  }

  /** Schedules the next try of files that could not be deleted. `remove_at` stays: it also withholds them. */
  async postponeRemovals(names: readonly string[], retryAt: Date): Promise<void> {
    await this.db
      .updateTable('generation_media_removal')
      .set({ retry_at: retryAt })
      .where('name', '=', anyOf(names))
      .execute();
  }

  /** Records that files were deleted. */
  async clearRemovals(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.db.deleteFrom('generation_media_removal').where('name', '=', anyOf(names)).execute();
  }

  /**
   * Marks an ended generation as deleted and erases its prompt. The credits are not affected. The addresses of the
   * files stay until the files are deleted. A prompt that the provider's own check refused stays readable for admins,
   * as long as its case is kept (`RefusalLog`).
   * @param owner null for admins, who may delete the generations of all users
   */
  async remove(id: string, owner: string | null): Promise<GenerationRow | undefined> {
    const now = this.clock.now();
    let update = this.update(id, {
      deleted_at: now,
      updated_at: now,
      ...ERASED_TEXTS,
      prompt: sql<string>`case when exists (select from moderation_case refusal
        where refusal.kind = 'refusal' and refusal.id = generation.id) then prompt else '' end`,
    })
      .where('status', '<>', 'pending')
      .where('deleted_at', 'is', null);
    // The owner cannot remove what an admin has taken down: the decision may be undone for a day.
    if (owner !== null) {
      update = update.where('user_id', '=', owner).where(sql<boolean>`moderation is distinct from 'taken_down'`);
    }
    return update.executeTakeFirst();
  }

  /**
   * Deletes images that were taken down at this instant or before, as `remove` does. Their files are deleted by the
   * next sweep of `DeletedMedia`.
   * @returns the number of images
   */
  async removeTakenDown(takenDownUntil: Date, limit: number): Promise<number> {
    const now = this.clock.now();
    const { numUpdatedRows } = await this.db
      .updateTable('generation')
      .set({ deleted_at: now, updated_at: now, ...ERASED_TEXTS })
      .where('id', 'in', (select) =>
        select
          .selectFrom('generation')
          .select('id')
          // Must equal the predicate of the partial index.
          .where(sql<boolean>`moderation = 'taken_down' and deleted_at is null`)
          .where('moderated_at', '<=', takenDownUntil)
          .orderBy('moderated_at')
          .limit(limit)
          // A decision that is being undone holds the lock.
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  /** Records that the files of a deleted generation were deleted. */
  async clearImage(id: string): Promise<void> {
    await this.update(id, { image: null }).where('deleted_at', 'is not', null).execute();
  }

  /** Deleted generations that still have files, the oldest deletion first. */
  async withDeletedMedia(limit: number, skip: number): Promise<Pick<GenerationRow, 'id' | 'image'>[]> {
    return this.db
      .selectFrom('generation')
      .select(['id', 'image'])
      .where('deleted_at', 'is not', null)
      .where('image', 'is not', null)
      .orderBy('deleted_at')
      .orderBy('id')
      .limit(limit)
      .offset(skip)
      .execute();
  }
}

/** Any element of a list, which may be empty. */
function anyOf(names: readonly string[]) {
  return sql<string>`any(${names}::text[])`;
}
