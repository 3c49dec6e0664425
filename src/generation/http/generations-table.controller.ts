import { Controller, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Authenticator, type Principal } from '../../platform/principal.js';
import { OptionalUser, ReadTable } from '../../platform/http/routes.js';
import { readTableQuery, sendRows, type ReadableTable } from '../../platform/http/table-reads.js';
import { ListGenerationRows } from '../reads/list-generation-rows.js';

const GENERATIONS: ReadableTable<'generations'> = {
  name: 'generations',
  columns: [
    'id',
    'prediction_id',
    'status',
    'prompt',
    'image_url',
    'creator_id',
    'created_at',
    'updated_at',
    'error_message',
    'refunded',
    'refund_reason',
    'refunded_at',
    'credit_cost',
    'deployment_name',
  ],
  filters: ['id', 'creator_id', 'prediction_id', 'status'],
  order: 'created_at',
};

/**
 * `GET /rest/v1/generations` (fan spec, section 7). Lists hold the caller's own generations; admins list all. The
 * public sees a creator's images in the curated gallery. A lookup by id also finds completed, visible images.
 */
@Controller()
export class GenerationsTableController {
  constructor(
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  @ReadTable(GENERATIONS, { access: 'public', limit: RATE_LIMITS.publicData })
  async table(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @OptionalUser() user: Principal | null,
  ): Promise<void> {
    const query = readTableQuery(request, GENERATIONS);
    const { equals, direction, limit, offset } = query;
    const isAdmin = user !== null && (await this.authenticator.rolesOf(user.userId)).has('admin');
    const rows = await this.queries.execute(
      new ListGenerationRows({
        viewer: { userId: user?.userId ?? null, isAdmin },
        id: equals.get('id'),
        creatorId: equals.get('creator_id'),
        predictionId: equals.get('prediction_id'),
        status: equals.get('status'),
        direction,
        limit,
        offset,
      }),
    );
    sendRows(request, reply, query, rows);
  }
}
