import { Body, Controller, Logger, Query, Res, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type FastifyReply } from 'fastify';
import {
  CreatorEarningsRequest,
  CreatorHistoryRequest,
  CreatorStatementRequest,
} from '../../contract/calls/revenue.js';
import { MONTH } from '../../contract/formats.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type CreatorEarning, type CreatorMonthlyHistory, type CreatorStatement } from '../../contract/revenue.js';
import { type CreatorForUser, GetReadableCreator } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { csvDownload } from '../../platform/http/csv-download.js';
import { CurrentUser, Endpoint, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { ExportCreatorEarnings, GetCreatorHistory, GetCreatorStatement } from '../../revenue/index.js';
import { GetCreatorEarnings } from '../reads/get-creator-earnings.js';

/**
 * The income of a creator, for that creator (in any status), admins and finance. It is in this context because the
 * earnings show the images.
 */
@Controller()
export class CreatorEarningsController {
  private readonly logger = new Logger(CreatorEarningsController.name);

  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_creator_monthly_history', { access: 'user', limit: RATE_LIMITS.creatorData })
  async history(
    @CurrentUser() user: Principal,
    @Body() request: CreatorHistoryRequest,
  ): Promise<CreatorMonthlyHistory> {
    const { id: creatorId } = await this.readable(request.p_creator_id, user);
    const monthsBack = request.p_months_back ?? PAGE_SIZES.revenueMonths;
    return this.queries.execute(new GetCreatorHistory({ creatorId, monthsBack }));
  }

  @Rpc('get_creator_earnings', { access: 'user', limit: RATE_LIMITS.creatorData })
  async earnings(@CurrentUser() user: Principal, @Body() request: CreatorEarningsRequest): Promise<CreatorEarning[]> {
    const creator = await this.readable(request.p_creator_id, user);
    return this.queries.execute(
      new GetCreatorEarnings({
        creatorId: creator.id,
        showImages: !creator.withdrawn,
        month: request.p_month ?? null,
        limit: request.p_limit ?? PAGE_SIZES.earnings,
        offset: request.p_offset ?? 0,
      }),
    );
  }

  @Rpc('get_creator_statement', { access: 'user', limit: RATE_LIMITS.creatorData })
  async statement(@CurrentUser() user: Principal, @Body() request: CreatorStatementRequest): Promise<CreatorStatement> {
    const { id: creatorId, name } = await this.readable(request.p_creator_id, user);
    const statement = await this.queries.execute(new GetCreatorStatement({ creatorId, month: request.p_month }));
    return { ...statement, creator_name: name };
  }

  /** Streams the file as the client reads it. A failure midway breaks the connection. */
  @Endpoint('GET /exports/creator-earnings.csv', {
    access: 'user',
    limit: RATE_LIMITS.financialOps,
    // Each page of rows is a statement with a limit of its own.
    unlimitedDatabaseTime: true,
  })
  async export(
    @CurrentUser() user: Principal,
    @Query('creator_id') creatorId: unknown,
    @Query('month') month: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const isMonth = month === undefined || (typeof month === 'string' && MONTH.test(month));
    if (!isMonth) throw new DomainError('invalid', 'month must be a month such as 2026-10');
    const creator = await this.readable(typeof creatorId === 'string' ? creatorId : '', user);
    const wanted = { creatorId: creator.id, month: month ?? null };
    const parts = await this.queries.execute(new ExportCreatorEarnings(wanted));
    const name = `fanvas-earnings-${creator.username}${month === undefined ? '' : `-${month}`}.csv`;
    return csvDownload(reply, parts, { name, logger: this.logger, forPeople: true });
  }

  /** @throws DomainError forbidden */
  private readable(creatorId: string, { userId }: Principal): Promise<CreatorForUser> {
    return this.queries.execute(new GetReadableCreator({ creatorId, userId }));
  }
}
