import { Module } from '@nestjs/common';
import { Applicants } from './applicants.js';
import { CreatorReview } from './creator-review.js';
import { ApplicationsController } from './http/applications.controller.js';
import { CreatorsAdminController } from './http/creators-admin.controller.js';
import { CreatorsController } from './http/creators.controller.js';
import { payoutCipherProvider } from './payout/payout-cipher.js';
import { OwnControlsController } from './http/own-controls.controller.js';
import { QuestionsController } from './http/questions.controller.js';
import { ModelDeletionsController } from './http/model-deletions.controller.js';
import * as useCases from './use-cases/handlers.js';
import * as reads from './reads/handlers.js';

/** Creators: who may be drawn, and with which model. */
@Module({
  controllers: [
    CreatorsController,
    ApplicationsController,
    CreatorsAdminController,
    QuestionsController,
    OwnControlsController,
    ModelDeletionsController,
  ],
  providers: [Applicants, CreatorReview, payoutCipherProvider, ...Object.values(useCases), ...Object.values(reads)],
})
export class CreatorsModule {}
