import { Controller, Inject, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Kysely } from 'kysely';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { DATABASE } from '../../platform/database/database.js';
import { Authenticator, type Principal } from '../../platform/http/principal.js';
import { OptionalUser, ReadTable } from '../../platform/http/routes.js';
import { readTableQuery, sendRows, type ReadableTable, type TableRead } from '../../platform/http/table-reads.js';
import { isUuid } from '../../platform/ids.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';
import { type GenerationTableRow } from '../../contract/generation.js';

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
 * `GET /rest/v1/generations` (fan spec, section 7). Lists hold the caller's own generations, or everybody's for admins; what
 * the public sees of a creator is the curated gallery. By id, a completed one
 * is for anyone with the link unless its owner hides it.
 */
@Controller()
export class GenerationsTableController {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly authenticator: Authenticator,
  ) {}

  @ReadTable(GENERATIONS, { access: 'public', limit: RATE_LIMITS.publicData })
  async table(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @OptionalUser() user: Principal | null,
  ): Promise<void> {
    const query = readTableQuery(request, GENERATIONS);
    const rows = await this.rows(query, user);
    sendRows(request, reply, query, rows.map(tableRow));
  }

  private async rows(
    { equals, direction, limit, offset }: TableRead<'generations'>,
    user: Principal | null,
  ): Promise<GenerationRow[]> {
    const [id, creatorId] = [equals.get('id'), equals.get('creator_id')];
    if (id !== undefined && !isUuid(id)) return [];
    const isAdmin = user !== null && (await this.authenticator.rolesOf(user.userId)).has('admin');
    let select = this.db.selectFrom('generation').selectAll().where('deleted_at', 'is', null);
    if (!isAdmin) {
      const userId = user?.userId ?? null;
      if (id === undefined && userId === null) return [];
      select = select.where((row) =>
        row.or([
          ...(userId === null ? [] : [row('user_id', '=', userId)]),
          ...(id === undefined ? [] : [row('status', '=', 'completed').and('hidden_at', 'is', null)]),
        ]),
      );
    }
    if (id !== undefined) select = select.where('id', '=', id);
    if (creatorId !== undefined) select = select.where('creator_id', '=', creatorId);
    const predictionId = equals.get('prediction_id');
    if (predictionId !== undefined) select = select.where('prediction_id', '=', predictionId);
    const status = equals.get('status');
    if (status !== undefined) select = select.where('status', '=', status as GenerationRow['status']);
    return select.orderBy('created_at', direction).orderBy('id', direction).limit(limit).offset(offset).execute();
  }
}

function tableRow(row: GenerationRow): GenerationTableRow {
  return {
    id: row.id,
    prediction_id: row.prediction_id,
    status: row.status,
    prompt: row.prompt,
    image_url: row.image?.url ?? null,
    creator_id: row.creator_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    error_message: row.error_message,
    refunded: row.refunded,
    refund_reason: row.refund_reason,
    refunded_at: row.refunded_at?.toISOString() ?? null,
    credit_cost: row.cost,
    deployment_name: row.model,
  };
}
