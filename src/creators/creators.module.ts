import { Module } from '@nestjs/common';
import { CreatorsController } from './http/creators.controller.js';
import { GetCreatorForUserHandler } from './reads/get-creator-for-user.js';
import { GetCreatorHandler } from './reads/get-creator.js';
import { GetCreatorProfileHandler } from './reads/get-creator-profile.js';
import { GetCreatorsHandler } from './reads/get-creators.js';
import { GetOwnCreatorHandler } from './reads/get-own-creator.js';
import { ListWithdrawalsHandler } from './reads/list-withdrawals.js';
import { ListUsedPortraitsHandler } from './reads/list-used-portraits.js';
import { GetPublicCreatorsHandler } from './reads/get-public-creators.js';
import { HasAcceptedTermsHandler } from './reads/has-accepted-terms.js';
import { ListCreatorRowsHandler } from './reads/list-creator-rows.js';
import { AddApprovedCreatorHandler } from './use-cases/add-approved-creator.js';
import { DeleteExpiredPayoutRecordsHandler } from './use-cases/delete-expired-payout-records.js';
import { EraseCreatorHandler } from './use-cases/erase-creator.js';
import { WithdrawCreatorHandler } from './use-cases/withdraw-creator.js';

/** Creators: who may be drawn, and with which model. */
@Module({
  controllers: [CreatorsController],
  providers: [
    AddApprovedCreatorHandler,
    GetCreatorForUserHandler,
    WithdrawCreatorHandler,
    EraseCreatorHandler,
    DeleteExpiredPayoutRecordsHandler,
    GetOwnCreatorHandler,
    ListUsedPortraitsHandler,
    ListWithdrawalsHandler,
    GetCreatorHandler,
    GetCreatorProfileHandler,
    GetCreatorsHandler,
    GetPublicCreatorsHandler,
    HasAcceptedTermsHandler,
    ListCreatorRowsHandler,
  ],
})
export class CreatorsModule {}
