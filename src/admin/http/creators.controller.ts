import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CreatorsRequest, RevenueCreatorsRequest } from '../../contract/calls/applications.js';
import { type AdminCreatorRow, type PlatformRevenue, type RevenueCreatorRow } from '../../contract/applications.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { ADMIN_READ, Rpc } from '../../platform/http/routes.js';
import { ListCreators } from '../reads/list-creators.js';
import { GetPlatformRevenue, ListRevenueCreators } from '../reads/list-revenue-creators.js';

/** Creators and their revenue, for admins. */
@Controller()
export class CreatorsController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('list_creators_admin', ADMIN_READ)
  async list(@Body() request: CreatorsRequest): Promise<AdminCreatorRow[]> {
    const { p_state: state, p_search: search, p_username: username, p_after: after } = request;
    const { p_limit: limit = PAGE_SIZES.adminCreators, p_offset: offset = 0 } = request;
    const archived = state === 'archived';
    return this.queries.execute(
      new ListCreators({
        archived,
        search: search ?? '',
        username: username ?? null,
        after: after ?? null,
        limit,
        offset,
      }),
    );
  }

  @Rpc('list_revenue_creators_admin', ADMIN_READ)
  async revenue(@Body() request: RevenueCreatorsRequest): Promise<RevenueCreatorRow[]> {
    const { p_sort: sort = 'all_time_revenue' } = request;
    const { p_limit: limit = PAGE_SIZES.adminCreators, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListRevenueCreators({ sort, limit, offset }));
  }

  @Rpc('get_platform_revenue_admin', ADMIN_READ)
  async platform(): Promise<PlatformRevenue> {
    return this.queries.execute(new GetPlatformRevenue());
  }
}
