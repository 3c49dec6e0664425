import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';

/** The creators among these, all withdrawn, with an image that began since and is in progress or not withheld. */
export class ListLateStyles extends QueryOf<
  { readonly creators: readonly { readonly creatorId: string; readonly since: Date }[] },
  readonly string[]
> {}

@QueryHandler(ListLateStyles)
export class ListLateStylesHandler extends ReadHandler<GenerationTables, ListLateStyles> {
  async execute({ input: { creators } }: ListLateStyles): Promise<readonly string[]> {
    if (creators.length === 0) return [];
    const ids = creators.map(({ creatorId }) => creatorId);
    const times = creators.map(({ since }) => since);
    // With a limit, each is answered from an index by creator and time.
    const { rows } = await sql<{ creator_id: string }>`
      select creator_id from unnest(${ids}::text[], ${times}::timestamptz[]) as withdrawn (creator_id, since)
      where (select true from generation g
        where g.creator_id = withdrawn.creator_id and g.created_at >= withdrawn.since and g.deleted_at is null
          and (g.status = 'pending' or (g.status = 'completed' and g.hidden_at is null and g.withheld_at is null)) limit 1)`.execute(
      this.db,
    );
    return rows.map((row) => row.creator_id);
  }
}
