import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { type PublicCreator } from '../../contract/gallery.js';
import { type ImageInfo } from '../../contract/media.js';
import { type Creator, GetCreatorProfile, GetPublicCreators } from '../../creators/index.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { isNotSetAside } from '../set-aside.js';
import { type GalleryTables } from '../tables.js';
import { generationsById, toPublicImage } from './public-image.js';

/** Pictures next to the portrait on a creator's card. */
export const WORKS_PER_CARD = 3;

/** All public creators with their first works. */
export class ListPublicCreators extends Query<PublicCreator[]> {}

/**
 * One approved creator by username, archived ones included, and withdrawn ones by name only. Null when there is none.
 */
export class GetPublicCreator extends QueryOf<{ readonly username: string }, PublicCreator | null> {}

@QueryHandler(ListPublicCreators)
export class ListPublicCreatorsHandler extends ReadHandler<GalleryTables, ListPublicCreators> {
  async execute(): Promise<PublicCreator[]> {
    return withWorks(this.db, this.queries, await this.queries.execute(new GetPublicCreators({})));
  }
}

@QueryHandler(GetPublicCreator)
export class GetPublicCreatorHandler extends ReadHandler<GalleryTables, GetPublicCreator> {
  async execute({ input }: GetPublicCreator): Promise<PublicCreator | null> {
    const creator = await this.queries.execute(new GetCreatorProfile(input));
    return creator ? ((await withWorks(this.db, this.queries, [creator]))[0] ?? null) : null;
  }
}

async function withWorks(
  db: Kysely<GalleryTables>,
  queries: QueryBus,
  creators: readonly Creator[],
): Promise<PublicCreator[]> {
  if (creators.length === 0) return [];
  const shown = creators.filter(({ withdrawn }) => !withdrawn);
  // Removed pictures leave gaps in `place`, so the query limits rows and does not compare `place` with a number.
  const { rows: items } = await sql<{ creator_id: string; generation_id: string }>`
    select item.creator_id, item.generation_id
    from unnest(${shown.map(({ id }) => id)}::uuid[]) as creator (id)
    cross join lateral (
      select creator_id, generation_id, place from gallery_item
      where creator_id = creator.id and ${isNotSetAside()} order by place limit ${WORKS_PER_CARD}
    ) as item order by item.creator_id, item.place`.execute(db);
  const generations = await generationsById(
    queries,
    items.map((item) => item.generation_id),
  );
  const works = new Map<string, ImageInfo[]>();
  for (const item of items) {
    const shown = toPublicImage(generations.get(item.generation_id));
    if (shown) works.set(item.creator_id, [...(works.get(item.creator_id) ?? []), shown.image]);
  }
  return creators.map((creator) => toPublicCreator(creator, works.get(creator.id) ?? []));
}

/** The creator as the public sees them, with these first works. */
export function toPublicCreator(creator: Creator, works: readonly ImageInfo[]): PublicCreator {
  if (creator.withdrawn) return toWithdrawn(creator);
  return {
    id: creator.id,
    name: creator.name,
    username: creator.username,
    bio: creator.bio,
    profile_image: creator.profile?.url ?? null,
    profile: creator.profile,
    instagram: creator.instagram,
    twitter: creator.twitter,
    onlyfans: creator.onlyfans,
    is_visible: creator.isVisible,
    is_featured: creator.isFeatured,
    creator_status: creator.status,
    created_at: creator.createdAt.toISOString(),
    style: creator.style,
    works,
    paused: creator.paused,
    withdrawn: false,
    can_generate: creator.isVisible && !creator.paused && (creator.deploymentName !== null || creator.loraId !== null),
    credit_cost: creator.creditCost,
  };
}

/** The page of a withdrawn creator says that they have left, without anything but the name. */
function toWithdrawn({ id, name, username, status, createdAt, creditCost }: Creator): PublicCreator {
  return {
    id,
    name,
    username,
    bio: '',
    profile_image: null,
    profile: null,
    instagram: null,
    twitter: null,
    onlyfans: null,
    is_visible: false,
    is_featured: false,
    creator_status: status,
    created_at: createdAt.toISOString(),
    style: null,
    works: [],
    paused: false,
    withdrawn: true,
    can_generate: false,
    credit_cost: creditCost,
  };
}
