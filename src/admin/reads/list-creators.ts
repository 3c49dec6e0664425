import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type AdminCreatorRow } from '../../contract/applications.js';
import { type ImageInfo } from '../../contract/media.js';
import { GetAdminCreators } from '../../creators/index.js';
import { type CreatorTables } from '../../creators/tables.js';
import { type GalleryTables } from '../../gallery/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { containing, hasTrigram } from '../../platform/database/like.js';
import { searchPage } from '../../platform/database/search-page.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';

/** A page of approved creators, active or archived ones, the oldest first, with their galleries. */
export class ListCreators extends QueryOf<
  PageAt & {
    readonly archived: boolean;
    /** A part of the name, username or Instagram handle. */
    readonly search: string;
    /** Exactly this username; null for all. */
    readonly username: string | null;
    /** Only creators after the one with this id; null for all. */
    readonly after: string | null;
  },
  AdminCreatorRow[]
> {}

@QueryHandler(ListCreators)
export class ListCreatorsHandler extends ReadHandler<CreatorTables & GalleryTables & GenerationTables, ListCreators> {
  async execute({ input }: ListCreators): Promise<AdminCreatorRow[]> {
    const { rows } = await sql<{ id: string; total: number }>`
      select page.id, page.total from (${pageOf(input)}) as page join creator on creator.id = page.id
      order by creator.created_at, creator.id`.execute(this.db);
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

/** A select of `id` and `total` for a page, in no order. */
function pageOf(input: ListCreators['input']): RawBuilder<unknown> {
  const { username, limit, offset } = input;
  const text = input.search.trim().toLowerCase();
  const listed = sql`
    select id, created_at, name, username, instagram from creator
    where creator_status = 'active' and is_visible = ${!input.archived} and ${isAfter(input)}`;
  const searched = sql`lower(name || ' ' || username || ' ' || instagram)`;
  const matches = sql<boolean>`strpos(${searched}, ${text}) > 0`;
  if (username === null && hasTrigram(text)) {
    return searchPage({
      rows: listed,
      order: sql`created_at, id`,
      indexed: sql<boolean>`${searched} like ${containing(text)}`,
      matches,
      limit,
      offset,
      countedTo: COUNTED_TO,
    });
  }
  // Without three letters or digits in a row no index finds a text, so only the newest are read.
  const newest = sql`select * from (${listed}) as listed order by created_at desc, id desc limit ${sql.lit(COUNTED_TO)}`;
  const found =
    username !== null
      ? sql`${listed} and username = ${username.toLowerCase()}`
      : text === ''
        ? listed
        : sql`select * from (${newest}) as newest where ${matches}`;
  return sql`
    with found as materialized (
      select id, created_at from (${found}) as chosen order by created_at, id limit ${sql.lit(COUNTED_TO)}
    )
    select id, (select count(*) from found)::int as total from found
    order by created_at, id limit ${limit} offset ${offset}`;
}

function isAfter({ after }: ListCreators['input']): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`true`;
  return sql<boolean>`(created_at, id) > (select created_at, id from creator where id = ${after})`;
}
