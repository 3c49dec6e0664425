import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type Selectable } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import {
  type CreatorProfile,
  type CreatorSummary,
  GetCreator,
  GetCreatorByModel,
  GetCreatorProfile,
  GetCreators,
  GetPublicCreators,
} from './queries.js';
import { type CreatorTables } from '../tables.js';

const SUMMARY_COLUMNS = [
  'id',
  'clerk_id',
  'username',
  'name',
  'creator_status',
  'is_visible',
  'deployment_name',
  'lora_id',
] as const;

@QueryHandler(GetCreators)
export class GetCreatorsHandler implements IQueryHandler<GetCreators> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ creatorIds }: GetCreators): Promise<ReadonlyMap<string, CreatorSummary>> {
    const ids = [...new Set(creatorIds)].filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db.selectFrom('creator').select(SUMMARY_COLUMNS).where('id', 'in', ids).execute();
    return new Map(rows.map((row) => [row.id, summaryOf(row)]));
  }
}

@QueryHandler(GetCreator)
export class GetCreatorHandler implements IQueryHandler<GetCreator> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ creatorId }: GetCreator): Promise<CreatorSummary | null> {
    if (!isUuid(creatorId)) return null;
    const row = await this.db
      .selectFrom('creator')
      .select(SUMMARY_COLUMNS)
      .where('id', '=', creatorId)
      .executeTakeFirst();
    return row ? summaryOf(row) : null;
  }
}

@QueryHandler(GetCreatorByModel)
export class GetCreatorByModelHandler implements IQueryHandler<GetCreatorByModel> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ model }: GetCreatorByModel): Promise<CreatorSummary | null> {
    const row = await this.db
      .selectFrom('creator')
      .select(SUMMARY_COLUMNS)
      .where((where) => where.or([where('deployment_name', '=', model), where('lora_id', '=', model)]))
      .executeTakeFirst();
    return row ? summaryOf(row) : null;
  }
}

@QueryHandler(GetPublicCreators)
export class GetPublicCreatorsHandler implements IQueryHandler<GetPublicCreators> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute(): Promise<readonly CreatorProfile[]> {
    const rows = await this.db
      .selectFrom('creator')
      .selectAll()
      .where('creator_status', '=', 'active')
      .where('is_visible', '=', true)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(profileOf);
  }
}

@QueryHandler(GetCreatorProfile)
export class GetCreatorProfileHandler implements IQueryHandler<GetCreatorProfile> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ username }: GetCreatorProfile): Promise<CreatorProfile | null> {
    const row = await this.db
      .selectFrom('creator')
      .selectAll()
      .where('username', '=', username.toLowerCase())
      .where('creator_status', '=', 'active')
      .executeTakeFirst();
    return row ? profileOf(row) : null;
  }
}

type CreatorRow = Selectable<CreatorTables['creator']>;

function summaryOf(row: Pick<CreatorRow, (typeof SUMMARY_COLUMNS)[number]>): CreatorSummary {
  return {
    id: row.id,
    clerkId: row.clerk_id,
    username: row.username,
    name: row.name,
    status: row.creator_status,
    isVisible: row.is_visible,
    deploymentName: row.deployment_name,
    loraId: row.lora_id,
  };
}

function profileOf(row: CreatorRow): CreatorProfile {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    bio: row.bio,
    style: row.style,
    instagram: row.instagram,
    twitter: row.twitter,
    onlyfans: row.onlyfans,
    profile: row.profile,
    status: row.creator_status,
    isVisible: row.is_visible,
    isFeatured: row.is_featured,
    hasModel: row.deployment_name !== null || row.lora_id !== null,
    createdAt: row.created_at,
  };
}
