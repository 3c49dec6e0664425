import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type ModelColumns } from '../model-reference.js';
import { type CreatorTables } from '../tables.js';

/** The creator who has this model. Null for a free one. */
export class FindModelOwner extends QueryOf<
  ModelColumns,
  { readonly creatorId: string; readonly name: string } | null
> {}

@QueryHandler(FindModelOwner)
export class FindModelOwnerHandler extends ReadHandler<CreatorTables, FindModelOwner> {
  async execute({ input }: FindModelOwner): Promise<{ readonly creatorId: string; readonly name: string } | null> {
    const row = await this.db
      .selectFrom('creator')
      .select(['id', 'name'])
      .where((where) =>
        input.lora_id === null
          ? where('deployment_name', '=', input.deployment_name)
          : where('lora_id', '=', input.lora_id),
      )
      .executeTakeFirst();
    return row ? { creatorId: row.id, name: row.name } : null;
  }
}
