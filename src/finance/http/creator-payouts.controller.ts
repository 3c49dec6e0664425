import { Body, Controller, Logger, Query, Res, type StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type FastifyReply } from 'fastify';
import { CreatorPayoutsRequest, PayoutById } from '../../contract/calls/payouts.js';
import { RevenueOfCreator } from '../../contract/calls/revenue.js';
import { CREATOR_ID } from '../../contract/formats.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { type PayoutStatement, type PayoutStatements } from '../../contract/payouts.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { DomainError } from '../../platform/domain-error.js';
import { csvDownload } from '../../platform/http/csv-download.js';
import { CurrentUser, Endpoint, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetCreatorDashboard } from '../reads/creator-dashboard.js';
import { cursorOf } from '../reads/creator-payouts.js';
import { ExportPayoutStatement } from '../reads/payout-statement-file.js';
import { GetPayoutStatement, ListPayoutStatements } from '../reads/payout-statements.js';
import { referenceOf } from '../runs/payout-ids.js';

const READ = { access: 'user', limit: RATE_LIMITS.creatorData } as const;

/**
 * Self-billed statements of payouts, and the figures of a dashboard, which contain payouts. For the creator (in any
 * status), admins and finance.
 */
@Controller()
export class CreatorPayoutsController {
  private readonly logger = new Logger(CreatorPayoutsController.name);

  constructor(private readonly queries: QueryBus) {}

  @Rpc('list_payout_statements', READ)
  async statements(
    @CurrentUser() { userId }: Principal,
    @Body() { p_creator_id: creatorId, p_limit, p_before }: CreatorPayoutsRequest,
  ): Promise<PayoutStatements> {
    const limit = p_limit ?? PAGE_SIZES.payouts;
    const before = p_before == null ? null : cursorOf(p_before);
    return this.queries.execute(new ListPayoutStatements({ creatorId, userId, limit, before }));
  }

  @Rpc('get_payout_statement', READ)
  async statement(
    @CurrentUser() { userId }: Principal,
    @Body() { p_payout_id: payoutId }: PayoutById,
  ): Promise<PayoutStatement> {
    return this.queries.execute(new GetPayoutStatement({ payoutId, userId }));
  }

  /** Streams the file as the client reads it. A failure midway breaks the connection. */
  @Endpoint('GET /exports/payout-statement.csv', {
    access: 'user',
    // Finance downloads those of a whole run, one after the other.
    limit: RATE_LIMITS.dataFetch,
    // Each page of lines is a statement with a limit of its own.
    unlimitedDatabaseTime: true,
  })
  async file(
    @CurrentUser() { userId }: Principal,
    @Query('payout_id') payoutId: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    if (typeof payoutId !== 'string' || !CREATOR_ID.test(payoutId)) {
      throw new DomainError('invalid', 'payout_id must be the id of a payout');
    }
    const parts = await this.queries.execute(new ExportPayoutStatement({ payoutId, userId }));
    const name = `fanvas-statement-${referenceOf(payoutId)}.csv`;
    return csvDownload(reply, parts, { name, logger: this.logger, forPeople: true });
  }

  @Rpc('get_creator_dashboard_analytics', { access: 'user', limit: RATE_LIMITS.creatorFigures })
  async analytics(
    @CurrentUser() { userId }: Principal,
    @Body() { p_creator_id: creatorId }: RevenueOfCreator,
  ): Promise<CreatorAnalytics> {
    return this.queries.execute(new GetCreatorDashboard({ creatorId, userId }));
  }
}
