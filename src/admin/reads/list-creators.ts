import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type AdminCreatorRow } from '../../contract/applications.js';
import { type ImageInfo } from '../../contract/media.js';
import { GetAdminCreators } from '../../creators/index.js';
import { type CreatorTables } from '../../creators/tables.js';
import { type GalleryTables } from '../../gallery/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { DATABASE } from '../../platform/database/database.js';
import { containing, hasTrigram } from '../../platform/database/like.js';

/** A page of approved creators, active or archived ones, the oldest first, with their galleries. */
export class ListCreators extends Query<AdminCreatorRow[]> {
  constructor(
    readonly input: {
      readonly archived: boolean;
      /** A part of the name, username or Instagram handle. */
      readonly search: string;
      /** Exactly this username; null for all. */
      readonly username: string | null;
      /** Only creators after the one with this id; null for all. */
      readonly after: string | null;
      readonly limit: number;
      readonly offset: number;
    },
  ) {
    super();
  }
}

@QueryHandler(ListCreators)
export class ListCreatorsHandler implements IQueryHandler<ListCreators> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables & GalleryTables & GenerationTables>,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input }: ListCreators): Promise<AdminCreatorRow[]> {
    const { rows } = await sql<{ id: string; total: number }>`
      with found as materialized (
        select id, created_at from ${searchedIn(input)} where ${conditionOf(input)} and ${isAfter(input)}
        order by created_at, id limit ${COUNTED_TO}
      )
      select id, (select count(*) from found)::int as total
      from found order by created_at, id limit ${input.limit} offset ${input.offset}`.execute(this.db);
    const ids = rows.map(({ id }) => id);
    const [creators, galleries] = await Promise.all([
      this.queries.execute(new GetAdminCreators({ creatorIds: ids })),
      this.galleriesOf(ids),
    ]);
    return creators.map((creator) => ({
      ...creator,
      gallery_size: galleries.get(creator.id)?.size ?? 0,
      works: galleries.get(creator.id)?.works ?? [],
      total_count: rows[0]?.total ?? 0,
    }));
  }

  /** The number of images in each gallery, and the first three that the public sees. */
  private async galleriesOf(
    creatorIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly size: number; readonly works: readonly ImageInfo[] }>> {
    if (creatorIds.length === 0) return new Map();
    const { rows } = await sql<{ id: string; size: number; works: ImageInfo[] }>`
      select creator.id,
        (select count(*) from gallery_item where creator_id = creator.id)::int as size,
        array(
          select generation.image from gallery_item item join generation on generation.id = item.generation_id
          where item.creator_id = creator.id and generation.status = 'completed' and generation.deleted_at is null
            and generation.hidden_at is null and generation.taken_down_at is null and generation.moderated_at is null
          order by item.place limit 3
        ) as works
      from unnest(${creatorIds}::uuid[]) as creator (id)`.execute(this.db);
    return new Map(rows.map(({ id, size, works }) => [id, { size, works }]));
  }
}

/**
 * The creators among which a search looks: those of the list. Without three letters or digits in a row no index finds a
 * text, so only the newest are read.
 */
function searchedIn({ archived, search, username }: ListCreators['input']): RawBuilder<unknown> {
  const listed = sql`select * from creator where creator_status = 'active' and is_visible = ${!archived}`;
  const text = search.trim();
  if (username !== null || text === '' || hasTrigram(text)) return sql`(${listed}) as creator`;
  return sql`(${listed} order by created_at desc, id desc limit ${COUNTED_TO}) as creator`;
}

function conditionOf({ search, username }: ListCreators['input']): RawBuilder<boolean> {
  if (username !== null) return sql<boolean>`username = ${username.toLowerCase()}`;
  const text = search.trim();
  if (text === '') return sql<boolean>`true`;
  return sql<boolean>`lower(name || ' ' || username || ' ' || instagram) like ${containing(text.toLowerCase())}`;
}

function isAfter({ after }: ListCreators['input']): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`;
  return sql<boolean>`(created_at, id) > (select created_at, id from creator where id = ${after})`;
}
