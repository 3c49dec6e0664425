import { Body, Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsString, IsUUID, MaxLength } from 'class-validator';
import { sql, type Kysely } from 'kysely';
import { type CreatorProfile, GetCreatorProfile, GetPublicCreators } from '../../creators/index.js';
import { type GenerationSummary, GetGenerations } from '../../generation/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { RATE_LIMITS } from '../../platform/http/rate-limits.js';
import { Rpc } from '../../platform/http/routes.js';
import { type ImageInfo } from '../../contract/media.js';
import { type GalleryTables } from '../tables.js';
import { type GalleryItem, type PublicCreator } from '../../contract/gallery.js';

class CreatorByUsernameRequest {
  @IsString()
  @MaxLength(100)
  p_username!: string;
}

/** Without a limit, all. */
class GalleryRequest extends PageRequest {
  @IsUUID()
  p_creator_id!: string;
}

/** How many pictures stand beside the portrait on a creator's card. */
const WORKS_PER_CARD = 3;

/** What the public sees: creators with their first works, and the curated galleries. */
@Controller()
export class GalleryController {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_public_creators', { access: 'public', limit: RATE_LIMITS.publicData })
  async publicCreators(): Promise<PublicCreator[]> {
    const creators = await this.queries.execute(new GetPublicCreators());
    return this.withWorks(creators);
  }

  @Rpc('get_public_creator_by_username', { access: 'public', limit: RATE_LIMITS.publicData })
  async publicCreator(@Body() request: CreatorByUsernameRequest): Promise<PublicCreator | null> {
    const creator = await this.queries.execute(new GetCreatorProfile(request.p_username));
    return creator ? ((await this.withWorks([creator]))[0] ?? null) : null;
  }

  @Rpc('get_gallery_generations_public', { access: 'public', limit: RATE_LIMITS.publicGallery })
  async gallery(@Body() request: GalleryRequest): Promise<GalleryItem[]> {
    const items = await this.db
      .selectFrom('gallery_item')
      .select(['generation_id', sql<number>`count(*) over ()::int`.as('total')])
      .where('creator_id', '=', request.p_creator_id)
      .orderBy('place')
      .offset(request.p_offset ?? 0)
      .$if(request.p_limit !== undefined, (query) => query.limit(request.p_limit ?? 0))
      .execute();
    const generations = await this.generationsById(items.map((item) => item.generation_id));
    return items.flatMap(({ generation_id: id, total }) =>
      publicPicture(generations.get(id)).map((picture) => ({ ...picture, total_count: total })),
    );
  }

  private async withWorks(creators: readonly CreatorProfile[]): Promise<PublicCreator[]> {
    if (creators.length === 0) return [];
    // Places have gaps where pictures were taken out.
    const { rows: items } = await sql<{ creator_id: string; generation_id: string }>`
      select item.creator_id, item.generation_id
      from unnest(${creators.map(({ id }) => id)}::uuid[]) as creator (id)
      cross join lateral (
        select creator_id, generation_id, place from gallery_item
        where creator_id = creator.id order by place limit ${WORKS_PER_CARD}
      ) as item order by item.creator_id, item.place`.execute(this.db);
    const generations = await this.generationsById(items.map((item) => item.generation_id));
    const works = new Map<string, ImageInfo[]>();
    for (const item of items) {
      const [shown] = publicPicture(generations.get(item.generation_id));
      if (shown) works.set(item.creator_id, [...(works.get(item.creator_id) ?? []), shown.image]);
    }
    return creators.map((creator) => publicCreatorOf(creator, works.get(creator.id) ?? []));
  }

  private async generationsById(ids: readonly string[]): Promise<ReadonlyMap<string, GenerationSummary>> {
    if (ids.length === 0) return new Map();
    const generations = await this.queries.execute(new GetGenerations(ids));
    return new Map(generations.map((generation) => [generation.id, generation]));
  }
}

function publicPicture(generation: GenerationSummary | undefined): Omit<GalleryItem, 'total_count'>[] {
  if (generation?.status !== 'completed' || !generation.image || generation.hidden) return [];
  return [
    {
      id: generation.id,
      status: 'completed',
      prompt: generation.prompt,
      image_url: generation.image.url,
      image: generation.image,
      creator_id: generation.creatorId,
      created_at: generation.createdAt.toISOString(),
    },
  ];
}

function publicCreatorOf(creator: CreatorProfile, works: readonly ImageInfo[]): PublicCreator {
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
    can_generate: creator.isVisible && creator.hasModel,
  };
}
