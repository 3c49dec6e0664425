import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { anyPattern, readSearch } from '../prompts/search-term.js';
import { type GenerationTables } from '../tables.js';
import { ADMIN_IMAGE_COLUMNS, type AdminImage, type AdminImageRow, toAdminImage } from './admin-image.js';

/** Images of a creator in which a text is looked for without an index: the newest. */
const IMAGES_SEARCHED = 10_000;

/**
 * A text that so many of the newest images contain is common: a page is found sooner by reading the newest images than
 * by the index of prompts.
 */
const PROBE = { images: 1_000, matches: 2 } as const;

/** A page of images, and how many the list has. */
export interface AdminImages {
  readonly images: readonly AdminImage[];
  /**
   * At most {@link COUNTED_TO}. For a text that many of the newest images contain: those among the newest 10,000, or
   * as many as are known after this page.
   */
  readonly totalCount: number;
}

/**
 * A page of the generations of a creator, the newest first, without tests and deleted ones. A whole id finds exactly
 * that one, another text a part of the prompt.
 */
export class ListAdminImages extends QueryOf<
  PageAt & { readonly creatorId: string; readonly search?: string | null | undefined },
  AdminImages
> {}

interface Search extends PageAt {
  readonly creatorId: string;
  /** The condition on a prompt that is read. Half as expensive as `ilike`, with the same result. */
  readonly matches: RawBuilder<boolean>;
}

/** A search that the index of prompts can answer. */
interface IndexedSearch extends Search {
  /** The same condition for the index. */
  readonly indexed: RawBuilder<boolean>;
}

type PageRow = { readonly total: number } & (AdminImageRow | { readonly id: null });

const COLUMNS = sql.join(ADMIN_IMAGE_COLUMNS.map((column) => sql.ref(`generation.${column}`)));

const NEWEST_FIRST = sql`order by created_at desc, id desc`;

/**
 * The generations that admins see. It names only the closed accounts whose images are not erased yet, which are few; a
 * page also tests the others.
 */
const listed = (creatorId: string): RawBuilder<boolean> => sql`
  generation.creator_id = ${creatorId} and generation.deleted_at is null and not generation.is_test
  and generation.user_id <> all (array(select user_id from generation_closed_owner where erased_at is null))`;

@QueryHandler(ListAdminImages)
export class ListAdminImagesHandler extends ReadHandler<GenerationTables, ListAdminImages> {
  async execute({ input: { search: text, ...input } }: ListAdminImages): Promise<AdminImages> {
    if (input.offset >= COUNTED_TO) return { images: [], totalCount: COUNTED_TO };
    const page = { ...input, limit: Math.min(input.limit, COUNTED_TO - input.offset) };
    const search = readSearch(text);
    if (search.kind === 'id') return this.byId(page, search.id);
    if (search.kind === 'all') return this.newest({ ...page, matches: sql`true` });
    const { matches, indexed } = anyPattern(search);
    const matching = { ...page, matches };
    if (!search.indexed) return this.newest(matching);
    const rare = await this.rare({ ...matching, indexed });
    if (rare === 'common') return this.common(matching);
    return rare.totalCount > COUNTED_TO ? this.all(matching) : rare;
  }

  private async byId({ creatorId, offset }: Omit<Search, 'matches'>, id: string): Promise<AdminImages> {
    const { rows } = await sql<AdminImageRow>`
      select ${COLUMNS} from generation
      where ${listed(creatorId)} and ${ownerIsOpen} and id = ${id}::uuid`.execute(this.db);
    return { images: offset === 0 ? rows.map(toAdminImage) : [], totalCount: rows.length };
  }

  /** Reads the newest images, and looks at no others: once, for both the page and the count. */
  private async newest({ creatorId, matches, limit, offset }: Search): Promise<AdminImages> {
    const { rows } = await sql<PageRow>`
      with found as materialized (
        select id, created_at from (
          select id, created_at, prompt from generation where ${listed(creatorId)} ${NEWEST_FIRST} limit ${IMAGES_SEARCHED}
        ) as newest where ${matches}
      ),
      page as (select id from found ${NEWEST_FIRST} limit ${limit} offset ${offset})
      select (select count(*) from found)::int as total, ${COLUMNS}
      from page join generation on generation.id = page.id where ${ownerIsOpen}
      order by generation.created_at desc, generation.id desc`.execute(this.db);
    return toPage(rows);
  }

  /**
   * Finds the images by the index of prompts, unless the text is common in the newest images. The index has only
   * generations whose credits are closed; the others are few.
   */
  private async rare({ creatorId, matches, indexed, limit, offset }: IndexedSearch): Promise<AdminImages | 'common'> {
    const matching = sql`
      select id, created_at from generation
      where ${listed(creatorId)} and ${indexed} and not (select common from probe)`;
    const { rows } = await sql<PageRow & { readonly common: boolean }>`
      with probe as materialized (
        select count(*) >= ${PROBE.matches} as common from (
          select prompt from generation where ${listed(creatorId)} ${NEWEST_FIRST} limit ${PROBE.images}
        ) as newest where ${matches}
      ),
      found as materialized (
        (${matching} and credits_closed_at is not null limit ${COUNTED_TO + 1})
        union all
        (${matching} and credits_closed_at is null limit ${COUNTED_TO + 1})
      ),
      page as (select id from found ${NEWEST_FIRST} limit ${limit} offset ${offset})
      select probe.common, (select count(*) from found)::int as total, ${COLUMNS}
      from probe left join (page join generation on generation.id = page.id and ${ownerIsOpen}) on true
      order by generation.created_at desc, generation.id desc`.execute(this.db);
    return rows[0]?.common ? 'common' : toPage(rows);
  }

  /**
   * Reads the newest images once, for both the page and the count. A page that reaches beyond their matches is read by
   * date.
   */
  private async common(search: Search): Promise<AdminImages> {
    const { creatorId, matches, limit, offset } = search;
    const isWithin = sql`(select count(*) from found) > ${offset + limit}`;
    const { rows } = await sql<{ total: number } & AdminImageRow>`
      with found as materialized (
        select id, created_at from (
          select id, created_at, prompt from generation where ${listed(creatorId)} ${NEWEST_FIRST} limit ${IMAGES_SEARCHED}
        ) as newest where ${matches}
      ),
      page as (
        (select id from found where ${isWithin} ${NEWEST_FIRST} limit ${limit} offset ${offset})
        union all
        (${byDate(search, sql`id`, sql`not (${isWithin})`)})
      )
      select (select count(*) from found)::int as total, ${COLUMNS} from page join generation on generation.id = page.id
      order by generation.created_at desc, generation.id desc`.execute(this.db);
    return known(rows, search, rows[0]?.total ?? 0);
  }

  /** Reads from the newest image on until the page is full. The search has more matches than are counted. */
  private async all(search: Search): Promise<AdminImages> {
    const { rows } = await sql<AdminImageRow>`${byDate(search, COLUMNS, sql`true`)}`.execute(this.db);
    return known(rows, search, COUNTED_TO);
  }
}

/** A page by date, with one image more: it shows whether there is another page. */
function byDate(
  { creatorId, matches, limit, offset }: Search,
  columns: RawBuilder<unknown>,
  when: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select ${columns} from generation where ${listed(creatorId)} and ${ownerIsOpen} and (${matches}) and ${when}
    ${NEWEST_FIRST} limit ${limit + 1} offset ${offset}`;
}

/** A page and its count: at least the matches that are known after this page. */
function known(rows: readonly AdminImageRow[], { limit, offset }: Search, total: number): AdminImages {
  const seen = rows.length === 0 ? 0 : offset + rows.length;
  const images = rows.slice(0, limit).map(toAdminImage);
  return { images, totalCount: Math.min(Math.max(total, seen), COUNTED_TO) };
}

function toPage(rows: readonly PageRow[]): AdminImages {
  const images = rows.filter((row): row is PageRow & AdminImageRow => row.id !== null).map(toAdminImage);
  return { images, totalCount: rows[0]?.total ?? 0 };
}
