import { Module } from '@nestjs/common';
import { AddApprovedCreatorHandler } from './add-approved-creator.js';
import {
  GetCreatorHandler,
  GetCreatorProfileHandler,
  GetCreatorsHandler,
  GetPublicCreatorsHandler,
} from './read-creators.js';

@Module({
  providers: [
    AddApprovedCreatorHandler,
    GetCreatorHandler,
    GetCreatorsHandler,
    GetCreatorProfileHandler,
    GetPublicCreatorsHandler,
  ],
})
export class CreatorsModule {}
