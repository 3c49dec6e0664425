import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type AdminCalls } from '../../contract/calls/admin.js';
import { type AdminHealth, type AdminOverview } from '../../contract/admin.js';
import { ADMIN_READ, Rpc } from '../../platform/http/routes.js';
import { GetAdminCounts } from '../reads/get-counts.js';
import { GetAdminHealth } from '../reads/get-health.js';
import { GetAdminOverview } from '../reads/get-overview.js';

/** Figures of the dashboard and of the navigation of the admin area. */
@Controller()
export class AdminController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_admin_overview', ADMIN_READ)
  async overview(): Promise<AdminOverview> {
    return this.queries.execute(new GetAdminOverview());
  }

  @Rpc('get_admin_counts', ADMIN_READ)
  async counts(): Promise<AdminCalls['get_admin_counts']['response']> {
    return this.queries.execute(new GetAdminCounts());
  }

  @Rpc('get_admin_health', ADMIN_READ)
  async health(): Promise<AdminHealth> {
    return this.queries.execute(new GetAdminHealth());
  }
}
