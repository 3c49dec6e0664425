import { CheckModelHandler } from './check-model.js';
import { FindPromptsHandler } from './find-prompts.js';
import { GetAdminImagesHandler } from './get-admin-images.js';
import { GetCreatorEarningsHandler } from './get-creator-earnings.js';
import { GetGenerationHandler } from './get-generation.js';
import { GetGenerationSnapshotHandler } from './get-generation-snapshot.js';
import { GetGenerationStatusHandler } from './get-generation-status.js';
import { GetGenerationsHandler } from './get-generations.js';
import { GetOwnCreditsHandler } from './get-own-credits.js';
import { GetOwnImagesHandler } from './get-own-images.js';
import { GetShownImagesHandler } from './get-shown-images.js';
import { GetSuspensionHandler } from './get-suspension.js';
import { GetTakeDownHandler } from './get-take-down.js';
import { GetTestAllowanceHandler } from './get-test-allowance.js';
import { HasPendingGenerationHandler } from './has-pending-generation.js';
import { IsPredictionKnownHandler } from './is-prediction-known.js';
import { ListAdminImagesHandler } from './list-admin-images.js';
import { ListGenerationRowsHandler } from './list-generation-rows.js';
import { ListGenerationsHandler } from './list-generations.js';
import { ListImagesOfOwnerHandler } from './list-images-of-owner.js';
import { ListImagesOfStyleHandler } from './list-images-of-style.js';
import { ListLateStylesHandler } from './list-late-styles.js';
import { ListTestsHandler } from './list-tests.js';
import { ListUnerasedOwnersHandler } from './list-unerased-owners.js';
import { ListUsedMediaHandler } from './list-used-media.js';
import { GetApplicantPicturesHandler, GetModelTrialHandler } from './model-trials.js';
import { SearchGenerationsHandler } from './search-generations.js';

export const READS = [
  CheckModelHandler,
  GetModelTrialHandler,
  GetApplicantPicturesHandler,
  GetSuspensionHandler,
  GetTakeDownHandler,
  ListImagesOfStyleHandler,
  ListImagesOfOwnerHandler,
  ListUnerasedOwnersHandler,
  ListLateStylesHandler,
  ListUsedMediaHandler,
  GetCreatorEarningsHandler,
  GetGenerationHandler,
  FindPromptsHandler,
  SearchGenerationsHandler,
  GetGenerationsHandler,
  GetAdminImagesHandler,
  ListAdminImagesHandler,
  GetGenerationSnapshotHandler,
  GetGenerationStatusHandler,
  ListGenerationsHandler,
  GetOwnCreditsHandler,
  GetOwnImagesHandler,
  HasPendingGenerationHandler,
  IsPredictionKnownHandler,
  ListGenerationRowsHandler,
  GetShownImagesHandler,
  GetTestAllowanceHandler,
  ListTestsHandler,
];
