import { Module } from '@nestjs/common';
import { AddApprovedCreatorHandler } from './use-cases/add-approved-creator.js';
import { CreatorsController } from './http/creators.controller.js';
import {
  GetCreatorByModelHandler,
  GetCreatorHandler,
  GetCreatorProfileHandler,
  GetCreatorsHandler,
  GetPublicCreatorsHandler,
} from './reads/read-creators.js';

@Module({
  controllers: [CreatorsController],
  providers: [
    AddApprovedCreatorHandler,
    GetCreatorHandler,
    GetCreatorByModelHandler,
    GetCreatorsHandler,
    GetCreatorProfileHandler,
    GetPublicCreatorsHandler,
  ],
})
export class CreatorsModule {}
