import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type RpcRequest } from '../../contract/calls.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type CreatorAnalytics, type CreatorRevenueResponse, type RevenueFigures } from '../../contract/revenue.js';
import { IsText, IsWhole, Optional } from '../../platform/http/fields.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetCreatorRevenue, type RevenueSums } from '../../revenue/index.js';
import { GetCreatorDashboard } from '../reads/creator-dashboard.js';
import { GetCreatorMoney } from '../reads/read-creator-money.js';

class AnalyticsRequest implements RpcRequest<'get_creator_dashboard_analytics'> {
  @IsText(100)
  p_creator_id!: string;
}

class CreatorRevenueRequest implements RpcRequest<'get_creator_revenue'> {
  @IsText(100)
  p_creator_id!: string;

  @Optional(IsWhole(1, 100))
  p_limit?: number;

  @Optional(IsWhole(0, 10_000))
  p_offset?: number;
}

/** The figures of a creator. They are in this context because payouts are among them. */
@Controller()
export class CreatorDashboardController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_creator_dashboard_analytics', { access: 'user', limit: RATE_LIMITS.creatorFigures })
  async analytics(
    @CurrentUser() { userId }: Principal,
    @Body() { p_creator_id: creatorId }: AnalyticsRequest,
  ): Promise<CreatorAnalytics> {
    return this.queries.execute(new GetCreatorDashboard({ creatorId, userId }));
  }

  @Rpc('get_creator_revenue', { access: 'finance', limit: RATE_LIMITS.dataFetch })
  async revenue(
    @Body() { p_creator_id: creatorId, p_limit, p_offset }: CreatorRevenueRequest,
  ): Promise<CreatorRevenueResponse> {
    const [limit, offset] = [p_limit ?? PAGE_SIZES.revenueMonths, p_offset ?? 0];
    const { allTime, thisMonth, months, monthCount } = await this.queries.execute(
      new GetCreatorRevenue({ creatorId, limit, offset }),
    );
    return {
      creator_id: creatorId,
      all_time: figures(allTime),
      this_month: figures(thisMonth),
      ...(await this.queries.execute(new GetCreatorMoney(creatorId))),
      months: months.map(({ month, ...sums }) => ({ month, ...figures(sums) })),
      month_count: monthCount,
    };
  }
}

function figures({ paidGenerations, paidCredits, creatorCents, platformCents }: RevenueSums): RevenueFigures {
  return {
    paid_generations: paidGenerations,
    paid_credits: paidCredits,
    creator_cents: creatorCents,
    platform_cents: platformCents,
  };
}
