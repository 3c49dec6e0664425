import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type AdminCalls } from '../../contract/calls/admin.js';
import { type AdminHealth, type AdminOverview } from '../../contract/admin.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Rpc } from '../../platform/http/routes.js';
import { GetAdminCounts } from '../reads/get-counts.js';
import { GetAdminHealth } from '../reads/get-health.js';
import { GetAdminOverview } from '../reads/get-overview.js';

const adminRead = { access: 'admin', limit: RATE_LIMITS.adminData } as const;

/** Figures of the dashboard and of the navigation of the admin area. */
@Controller()
export class AdminController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_admin_overview', adminRead)
  async overview(): Promise<AdminOverview> {
    return this.queries.execute(new GetAdminOverview());
  }

  @Rpc('get_admin_counts', adminRead)
  async counts(): Promise<AdminCalls['get_admin_counts']['response']> {
    return this.queries.execute(new GetAdminCounts());
  }

  @Rpc('get_admin_health', adminRead)
  async health(): Promise<AdminHealth> {
    return this.queries.execute(new GetAdminHealth());
  }
}
