import { Module } from '@nestjs/common';
import { AdminController } from './http/admin.controller.js';
import { UsersController } from './http/users.controller.js';
import { GetAdminCountsHandler } from './reads/get-counts.js';
import { GetAdminHealthHandler } from './reads/get-health.js';
import { GetAdminOverviewHandler } from './reads/get-overview.js';
import { MoneySumsReader } from './reads/money-sums.js';
import { GetLedgerEventHandler } from './reads/get-ledger-event.js';
import { GetUserForAdminsHandler } from './reads/get-user.js';
import { Proposals } from './reads/proposals.js';
import { ListUserImagesHandler } from './reads/list-user-images.js';
import { ListUserReportsHandler } from './reads/list-user-reports.js';
import { ListUserStatementHandler } from './reads/list-user-statement.js';
import { SearchUsersHandler } from './reads/search-users.js';
import { CreatorsController } from './http/creators.controller.js';
import { ListCreatorsHandler } from './reads/list-creators.js';
import { GetPlatformRevenueHandler, ListRevenueCreatorsHandler } from './reads/list-revenue-creators.js';

/** The admins' view over all contexts: users, and what waits for a person. The acts are use cases of their context. */
@Module({
  controllers: [AdminController, UsersController, CreatorsController],
  providers: [
    GetAdminCountsHandler,
    GetAdminHealthHandler,
    GetAdminOverviewHandler,
    MoneySumsReader,
    SearchUsersHandler,
    ListCreatorsHandler,
    ListRevenueCreatorsHandler,
    GetPlatformRevenueHandler,
    GetUserForAdminsHandler,
    ListUserImagesHandler,
    ListUserReportsHandler,
    ListUserStatementHandler,
    GetLedgerEventHandler,
    Proposals,
  ],
})
export class AdminModule {}
