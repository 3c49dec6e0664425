import { Body, Controller, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { AnyCreatorById, TermsAcceptanceRequest } from '../../contract/calls/creators.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Authenticator, type Principal } from '../../platform/principal.js';
import { CurrentUser, OptionalUser, ReadTable, Rpc, signedIn } from '../../platform/http/routes.js';
import { readTableQuery, sendRows, type ReadableTable } from '../../platform/http/table-reads.js';
import { GetCreator } from '../reads/get-creator.js';
import { HasAcceptedTerms } from '../reads/has-accepted-terms.js';
import { ListCreatorRows } from '../reads/list-creator-rows.js';
import {
  type CreatorForGeneration,
  type CreatorForGenerationRequest,
  type CreatorInfoForSharing,
} from '../../contract/creators.js';

/** `GET /rest/v1/creators`: the columns that the spec reads. Never e-mail, identity or model. */
const CREATORS: ReadableTable<'creators'> = {
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

/** The creator calls of the fan side (fan spec, section 7). */
@Controller()
export class CreatorsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  @Rpc('get_creator_info_for_sharing', { access: 'public', limit: RATE_LIMITS.publicData })
  async forSharing(@Body() request: AnyCreatorById): Promise<CreatorInfoForSharing | null> {
    const creator = await this.queries.execute(new GetCreator({ creatorId: request.p_creator_id }));
    if (creator?.status !== 'active' || creator.withdrawn) return null;
    return {
      username: creator.username,
      name: creator.name,
      is_visible: creator.isVisible,
      creator_status: creator.status,
    };
  }

  @Rpc('get_creator_for_generation_request_by_jwt', signedIn('generate images', RATE_LIMITS.dataFetch))
  async forGenerationRequest(@Body() request: AnyCreatorById): Promise<CreatorForGenerationRequest[]> {
    const creator = await this.queries.execute(new GetCreator({ creatorId: request.p_creator_id }));
    if (creator?.status !== 'active' || !creator.isVisible || creator.paused) return [];
    return [{ name: creator.name, deployment_name: creator.deploymentName, lora_id: creator.loraId }];
  }

  @Rpc('get_creator_info_for_generation_by_jwt', signedIn('access creator information', RATE_LIMITS.dataFetch))
  async forGeneration(@Body() request: AnyCreatorById): Promise<CreatorForGeneration | null> {
    const creator = await this.queries.execute(new GetCreator({ creatorId: request.p_creator_id }));
    if (creator?.status !== 'active' || creator.withdrawn) return null;
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

  @Rpc('get_terms_acceptance_status_by_jwt', signedIn('read the terms acceptance', RATE_LIMITS.dataFetch))
  async termsAccepted(@CurrentUser() { userId }: Principal, @Body() request: TermsAcceptanceRequest): Promise<boolean> {
    return this.queries.execute(new HasAcceptedTerms({ userId, termsVersion: request.p_terms_version }));
  }

  /** Everyone reads approved creators, archived ones included. Creators read their own row; admins read all. */
  @ReadTable(CREATORS, { access: 'public', limit: RATE_LIMITS.publicData })
  async table(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @OptionalUser() user: Principal | null,
  ): Promise<void> {
    const query = readTableQuery(request, CREATORS);
    const { equals, direction, limit, offset } = query;
    const isAdmin = user !== null && (await this.authenticator.rolesOf(user.userId)).has('admin');
    const rows = await this.queries.execute(
      new ListCreatorRows({
        reader: user && { userId: user.userId, isAdmin },
        id: equals.get('id'),
        username: equals.get('username'),
        clerkId: equals.get('clerk_id'),
        direction,
        limit,
        offset,
      }),
    );
    sendRows(request, reply, query, rows);
  }
}
