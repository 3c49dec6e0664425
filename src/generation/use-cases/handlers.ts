import { AssignTestedModelHandler } from './assign-tested-model.js';
import { CancelGenerationHandler } from './cancel-generation.js';
import { CancelPendingHandler } from './cancel-pending.js';
import { CloseOwnerHandler } from './close-owner.js';
import { DecideCaseHandler } from './decide-case.js';
import { DeleteGenerationHandler } from './delete-generation.js';
import { DrawModelTrialHandler } from './draw-model-trial.js';
import { EndTakeDownHandler } from './end-take-down.js';
import { EraseOwnerHandler } from './erase-owner.js';
import { EraseTakeDownsHandler } from './erase-take-downs.js';
import { HideGenerationHandler } from './hide-generation.js';
import { MoveHiddenFilesHandler } from './move-hidden-files.js';
import { OpenTakeDownHandler } from './open-take-down.js';
import { RateTestHandler } from './rate-test.js';
import { RefundFailedGenerationHandler } from './refund-failed-generation.js';
import { ReleaseImagesHandler } from './release-images.js';
import { ReportGenerationHandler } from './report-generation.js';
import { StartGenerationHandler } from './start-generation.js';
import { PredictionStarter } from './start-prediction.js';
import { StartTestHandler } from './start-test.js';
import { LiftSuspensionHandler, SuspendUserHandler } from './suspend-user.js';
import { SyncGenerationHandler } from './sync-generation.js';
import { TimeOutGenerationHandler } from './time-out-generation.js';
import { UndoDecisionHandler } from './undo-decision.js';
import { WithholdImagesHandler } from './withhold-images.js';

export const USE_CASES = [
  PredictionStarter,
  StartGenerationHandler,
  StartTestHandler,
  RateTestHandler,
  DrawModelTrialHandler,
  AssignTestedModelHandler,
  CancelGenerationHandler,
  SyncGenerationHandler,
  TimeOutGenerationHandler,
  RefundFailedGenerationHandler,
  HideGenerationHandler,
  DeleteGenerationHandler,
  ReportGenerationHandler,
  CloseOwnerHandler,
  CancelPendingHandler,
  EraseOwnerHandler,
  WithholdImagesHandler,
  ReleaseImagesHandler,
  DecideCaseHandler,
  UndoDecisionHandler,
  MoveHiddenFilesHandler,
  SuspendUserHandler,
  LiftSuspensionHandler,
  OpenTakeDownHandler,
  EndTakeDownHandler,
  EraseTakeDownsHandler,
];
