import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type DueCondition } from '../../platform/due-work.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

/** A withdrawal or a consent that was given again, whose effect on the images in the style is not complete. */
export interface StyleChange {
  readonly creatorId: string;
  /** Names the change. */
  readonly changedAt: Date;
  /** False: the consent was given again. */
  readonly withdrawn: boolean;
  /** No run of this change has ended yet. */
  readonly first: boolean;
}

/** Whether {@link ListStyleChanges} finds a change. */
export const styleChangeIsDue: DueCondition = (now) =>
  sql<boolean>`exists (select from creator where style_due_at <= ${now})`;

/** The changes that are due, the longest waiting first. */
export class ListStyleChanges extends QueryOf<{ readonly limit: number }, readonly StyleChange[]> {}

@QueryHandler(ListStyleChanges)
export class ListStyleChangesHandler extends ReadHandler<CreatorTables, ListStyleChanges> {
  async execute({ input: { limit } }: ListStyleChanges): Promise<readonly StyleChange[]> {
    const rows = await this.db
      .selectFrom('creator')
      .select(['id', 'withdrawn_at', 'style_changed_at', 'style_due_at'])
      .where('style_due_at', '<=', this.clock.now())
      .orderBy('style_due_at')
      .limit(limit)
      .execute();
    return rows.flatMap(({ id, withdrawn_at: withdrawnAt, style_changed_at: changedAt, style_due_at: dueAt }) =>
      changedAt === null
        ? []
        : [
            {
              creatorId: id,
              changedAt,
              withdrawn: withdrawnAt !== null,
              first: dueAt?.getTime() === changedAt.getTime(),
            },
          ],
    );
  }
}
