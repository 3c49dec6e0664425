import { Module } from '@nestjs/common';
import { AddApprovedCreatorHandler } from './add-approved-creator.js';
import { CreatorsController } from './creators.controller.js';
import {
  GetCreatorByModelHandler,
  GetCreatorHandler,
  GetCreatorProfileHandler,
  GetCreatorsHandler,
  GetPublicCreatorsHandler,
} from './read-creators.js';

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
