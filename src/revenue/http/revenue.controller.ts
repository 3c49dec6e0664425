import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { PAGE_SIZES } from '../../contract/limits.js';
import { type RpcRequest } from '../../contract/calls.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Rpc } from '../../platform/http/routes.js';
import { GetCreatorRevenue, type RevenueSums } from '../reads/get-creator-revenue.js';
import { type CreatorRevenueResponse, type RevenueFigures } from '../../contract/revenue.js';

class CreatorRevenueRequest implements RpcRequest<'get_creator_revenue'> {
  @IsString()
  @MaxLength(100)
  p_creator_id!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  p_limit?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(10_000)
  p_offset?: number;
}

/** Revenue, for the role finance. */
@Controller()
export class RevenueController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_creator_revenue', { access: 'finance', limit: RATE_LIMITS.dataFetch })
  async creatorRevenue(
    @Body() { p_creator_id, p_limit, p_offset }: CreatorRevenueRequest,
  ): Promise<CreatorRevenueResponse> {
    const [limit, offset] = [p_limit ?? PAGE_SIZES.revenueMonths, p_offset ?? 0];
    const revenue = await this.queries.execute(new GetCreatorRevenue({ creatorId: p_creator_id, limit, offset }));
    return {
      creator_id: revenue.creatorId,
      all_time: figures(revenue.allTime),
      this_month: figures(revenue.thisMonth),
      pending_cents: revenue.pendingCents,
      payable_cents: revenue.payableCents,
      debt_cents: revenue.debtCents,
      months: revenue.months.map(({ month, ...sums }) => ({ month, ...figures(sums) })),
      month_count: revenue.monthCount,
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
