import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RevenueOfCreator } from '../../contract/calls/revenue.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetCreatorDashboard } from '../reads/creator-dashboard.js';

/** The figures of a creator. They are in this context because payouts are among them. */
@Controller()
export class CreatorDashboardController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_creator_dashboard_analytics', { access: 'user', limit: RATE_LIMITS.creatorFigures })
  async analytics(
    @CurrentUser() { userId }: Principal,
    @Body() { p_creator_id: creatorId }: RevenueOfCreator,
  ): Promise<CreatorAnalytics> {
    return this.queries.execute(new GetCreatorDashboard({ creatorId, userId }));
  }
}
