import { Body, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsString, MaxLength } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Kysely, type Selectable } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { Authenticator, type Principal } from '../../platform/http/principal.js';
import { RATE_LIMITS } from '../../platform/http/rate-limits.js';
import { CurrentUser, OptionalUser, Route, Rpc } from '../../platform/http/routes.js';
import { readTableQuery, sendRows, type ReadableTable, type TableRead } from '../../platform/http/table-reads.js';
import { isUuid } from '../../platform/ids.js';
import { GetCreator } from '../reads/queries.js';
import { type CreatorTables } from '../tables.js';
import {
  type CreatorForGeneration,
  type CreatorForGenerationRequest,
  type CreatorInfoForSharing,
  type CreatorTableRow,
} from '../../contract/creators.js';

class CreatorRequest {
  @IsString()
  @MaxLength(200)
  p_creator_id!: string;
}

class TermsRequest {
  @IsString()
  @MaxLength(50)
  p_terms_version!: string;
}

/** `GET /rest/v1/creators`: what the spec reads of the table. Nobody's e-mail, identity or model. */
const CREATORS: ReadableTable = {
  name: 'creators',
  columns: [
    'id',
    'name',
    'username',
    'bio',
    'profile_image',
    'instagram',
    'twitter',
    'onlyfans',
    'creator_status',
    'is_visible',
    'is_featured',
    'created_at',
  ],
  filters: ['id', 'username', 'clerk_id'],
  order: 'created_at',
};

const signedIn = (what: string) => ({
  access: 'user' as const,
  authenticationMessage: `Authentication required to ${what}`,
  limit: RATE_LIMITS.dataFetch,
});

/** The creator calls of the fan side (fan spec, section 7). */
@Controller()
export class CreatorsController {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  /** Null when there is no such creator, or it is not approved. */
  @Rpc('get_creator_info_for_sharing', { access: 'public', limit: RATE_LIMITS.publicData })
  async forSharing(@Body() request: CreatorRequest): Promise<CreatorInfoForSharing | null> {
    const creator = await this.queries.execute(new GetCreator(request.p_creator_id));
    if (creator?.status !== 'active') return null;
    return {
      username: creator.username,
      name: creator.name,
      is_visible: creator.isVisible,
      creator_status: creator.status,
    };
  }

  /** One row; none when nothing can be generated with this creator. */
  @Rpc('get_creator_for_generation_request_by_jwt', signedIn('generate images'))
  async forGenerationRequest(@Body() request: CreatorRequest): Promise<CreatorForGenerationRequest[]> {
    const creator = await this.queries.execute(new GetCreator(request.p_creator_id));
    if (creator?.status !== 'active' || !creator.isVisible) return [];
    return [{ name: creator.name, deployment_name: creator.deploymentName, lora_id: creator.loraId }];
  }

  /** Null when there is no such creator, or it is not approved. */
  @Rpc('get_creator_info_for_generation_by_jwt', signedIn('access creator information'))
  async forGeneration(@Body() request: CreatorRequest): Promise<CreatorForGeneration | null> {
    const creator = await this.queries.execute(new GetCreator(request.p_creator_id));
    if (creator?.status !== 'active') return null;
    return {
      id: creator.id,
      name: creator.name,
      username: creator.username,
      is_visible: creator.isVisible,
      creator_status: creator.status,
      deployment_name: creator.deploymentName,
      lora_id: creator.loraId,
    };
  }

  /** Whether the caller has accepted this version of the creator terms. */
  @Rpc('get_terms_acceptance_status_by_jwt', signedIn('read the terms acceptance'))
  async termsAccepted(@CurrentUser() user: Principal, @Body() request: TermsRequest): Promise<boolean> {
    const accepted = await this.db
      .selectFrom('creator_terms_acceptance')
      .select('accepted_at')
      .where('clerk_id', '=', user.userId)
      .where('terms_version', '=', request.p_terms_version)
      .executeTakeFirst();
    return accepted !== undefined;
  }

  /** Approved creators for everyone, archived ones too; in any other state for themselves and admins. */
  @Get('rest/v1/creators')
  @Route({ access: 'public', limit: RATE_LIMITS.publicData })
  async table(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @OptionalUser() user: Principal | null,
  ): Promise<void> {
    const query = readTableQuery(request, CREATORS);
    sendRows(request, reply, query, await this.rows(query, user));
  }

  private async rows(query: TableRead, user: Principal | null): Promise<CreatorTableRow[]> {
    const { equals } = query;
    const id = equals.get('id');
    if (id !== undefined && !isUuid(id)) return [];
    const isAdmin = user !== null && (await this.authenticator.rolesOf(user.userId)).has('admin');
    let select = this.db.selectFrom('creator').selectAll();
    if (!isAdmin) {
      select = select.where((row) =>
        row.or([row('creator_status', '=', 'active'), ...(user ? [row('clerk_id', '=', user.userId)] : [])]),
      );
    }
    if (id !== undefined) select = select.where('id', '=', id);
    const username = equals.get('username');
    if (username !== undefined) select = select.where('username', '=', username);
    const clerkId = equals.get('clerk_id');
    if (clerkId !== undefined) select = select.where('clerk_id', '=', clerkId);
    const rows = await select
      .orderBy('created_at', query.direction)
      .orderBy('id', query.direction)
      .limit(query.limit)
      .offset(query.offset)
      .execute();
    return rows.map(tableRow);
  }
}

function tableRow(row: Selectable<CreatorTables['creator']>): CreatorTableRow {
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    bio: row.bio,
    profile_image: row.profile?.url ?? null,
    instagram: row.instagram,
    twitter: row.twitter,
    onlyfans: row.onlyfans,
    creator_status: row.creator_status,
    is_visible: row.is_visible,
    is_featured: row.is_featured,
    created_at: row.created_at.toISOString(),
  };
}
