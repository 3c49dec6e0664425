import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type ModelDeletion } from '../../contract/creators.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type CreatorTables } from '../tables.js';

/** A page of the tasks to delete models: open ones, the first due first, or ended ones, the last due first. */
export class ListModelDeletions extends QueryOf<PageAt & { readonly ended: boolean }, ModelDeletion[]> {}

@QueryHandler(ListModelDeletions)
export class ListModelDeletionsHandler extends ReadHandler<CreatorTables, ListModelDeletions> {
  async execute({ input: { ended, limit, offset } }: ListModelDeletions): Promise<ModelDeletion[]> {
    const now = this.clock.now();
    const isOpen = sql<boolean>`(task.done_at is null and task.cancelled_at is null)`;
    const rows = await this.db
      .selectFrom('creator_model_deletion as task')
      .innerJoin('creator', 'creator.id', 'task.creator_id')
      .selectAll('task')
      .select('creator.name')
      .where(isOpen, '=', !ended)
      .orderBy('task.due_at', ended ? 'desc' : 'asc')
      .orderBy('task.id', ended ? 'desc' : 'asc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map((row) => ({
      ...wireFields(row, ['id', 'creator_id']),
      creator_name: row.name,
      ...wireFields(row, ['model', 'requested_at', 'due_at']),
      overdue: !ended && row.due_at < now,
      ...wireFields(row, ['done_at', 'done_by', 'cancelled_at']),
    }));
  }
}
