import { Module } from '@nestjs/common';
import { CasesController } from './http/cases.controller.js';
import { SuspensionsController } from './http/suspensions.controller.js';
import { GetModerationCaseHandler } from './reads/get-moderation-case.js';
import { ListModerationCasesHandler } from './reads/list-moderation-cases.js';
import { DecideModerationCaseHandler } from './use-cases/decide-moderation-case.js';
import { ChangeSuspensionHandler } from './use-cases/change-suspension.js';
import { UndoModerationActHandler } from './use-cases/undo-moderation-act.js';

/** The admins' queue of reports, take-down requests and refusals, and what they decide. */
@Module({
  controllers: [CasesController, SuspensionsController],
  providers: [
    ListModerationCasesHandler,
    GetModerationCaseHandler,
    DecideModerationCaseHandler,
    UndoModerationActHandler,
    ChangeSuspensionHandler,
  ],
})
export class ModerationModule {}
