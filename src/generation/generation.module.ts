import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../platform/config/provider-settings.js';
import { ClosedOwners } from './closed-owners.js';
import { CreditRows } from './rows/credit-rows.js';
import { GenerationRows } from './rows/generation-rows.js';
import { ImageRows } from './rows/image-rows.js';
import { PredictionRows } from './rows/prediction-rows.js';
import { StartRows } from './rows/start-rows.js';
import { CreatorEarningsController } from './http/creator-earnings.controller.js';
import { GenerationController } from './http/generation.controller.js';
import { GenerationEventsController } from './http/generation-events.controller.js';
import { OpenStreams } from './http/open-streams.js';
import { GenerationsTableController } from './http/generations-table.controller.js';
import { ModelTrialsController } from './http/model-trials.controller.js';
import { ReplicateApiController } from './http/replicate-api.controller.js';
import { ReplicateWebhookController } from './http/replicate-webhook.controller.js';
import { ReportsController } from './http/reports.controller.js';
import { TestsController } from './http/tests.controller.js';
import { PromptModerator } from './moderation/prompt-moderator.js';
import { PromptPolicy } from './moderation/prompt-policy.js';
import { ReplicateModerator } from './moderation/replicate-moderator.js';
import { RefusalLog } from './moderation/refusal-log.js';
import { RuleModerator } from './moderation/rule-moderator.js';
import { ImageProvider } from './providers/image-provider.js';
import { ReplicateImageProvider } from './providers/replicate-image-provider.js';
import { WebhookAddress } from './providers/webhook-address.js';
import { GetCreatorEarningsHandler } from './reads/get-creator-earnings.js';
import { GetAdminImagesHandler } from './reads/get-admin-images.js';
import { GetGenerationHandler } from './reads/get-generation.js';
import { GetGenerationSnapshotHandler } from './reads/get-generation-snapshot.js';
import { GetGenerationStatusHandler } from './reads/get-generation-status.js';
import { FindPromptsHandler } from './reads/find-prompts.js';
import { SearchGenerationsHandler } from './reads/search-generations.js';
import { GetGenerationsHandler } from './reads/get-generations.js';
import { CheckModelHandler } from './reads/check-model.js';
import { GetApplicantPicturesHandler, GetModelTrialHandler } from './reads/model-trials.js';
import { GetOwnCreditsHandler } from './reads/get-own-credits.js';
import { GetOwnImagesHandler } from './reads/get-own-images.js';
import { GetTestAllowanceHandler } from './reads/get-test-allowance.js';
import { HasPendingGenerationHandler } from './reads/has-pending-generation.js';
import { IsPredictionKnownHandler } from './reads/is-prediction-known.js';
import { ListAdminImagesHandler } from './reads/list-admin-images.js';
import { ListGenerationRowsHandler } from './reads/list-generation-rows.js';
import { ListImagesOfClosedOwnersHandler, ListImagesOfOwnerHandler } from './reads/list-images-of-owner.js';
import { ListLateStylesHandler } from './reads/list-late-styles.js';
import { ListUnerasedOwnersHandler } from './reads/list-unerased-owners.js';
import { ListUsedMediaHandler } from './reads/list-used-media.js';
import { ListGenerationsHandler } from './reads/list-generations.js';
import { ListTestsHandler } from './reads/list-tests.js';
import { CancelPendingHandler } from './use-cases/cancel-pending.js';
import { CloseOwnerHandler } from './use-cases/close-owner.js';
import { EraseOwnerHandler } from './use-cases/erase-owner.js';
import { WithholdImagesHandler } from './use-cases/withhold-images.js';
import { CancelGenerationHandler } from './use-cases/cancel-generation.js';
import { AssignTestedModelHandler } from './use-cases/assign-tested-model.js';
import { DrawModelTrialHandler } from './use-cases/draw-model-trial.js';
import { DeleteGenerationHandler } from './use-cases/delete-generation.js';
import { HideGenerationHandler } from './use-cases/hide-generation.js';
import { PredictionRecorder } from './predictions/record-prediction.js';
import { RateTestHandler } from './use-cases/rate-test.js';
import { RefundFailedGenerationHandler } from './use-cases/refund-failed-generation.js';
import { ReportGenerationHandler } from './use-cases/report-generation.js';
import { StartGenerationHandler } from './use-cases/start-generation.js';
import { PredictionStarter } from './use-cases/start-prediction.js';
import { StartTestHandler } from './use-cases/start-test.js';
import { SyncGenerationHandler } from './use-cases/sync-generation.js';
import { TimeOutGenerationHandler } from './use-cases/time-out-generation.js';
import { CreditCloser } from './close-credits.js';
import { DeletedMedia } from './images/deleted-media.js';
import { GenerationFinisher } from './workers/finish-generation.js';
import { GenerationChanges } from './workers/generation-changes.js';
import { GenerationWorker } from './workers/generation-worker.js';
import { HiddenMedia } from './images/hidden-media.js';
import { WithheldMedia } from './images/withheld-media.js';
import { OutputCopier } from './workers/output-copier.js';
import { ConsentFollower } from './workers/follow-consent.js';
import { TakeDownRows } from './images/take-down-rows.js';
import { OpenTakeDownHandler } from './use-cases/open-take-down.js';
import { EndTakeDownHandler } from './use-cases/end-take-down.js';
import { EraseTakeDownsHandler } from './use-cases/erase-take-downs.js';
import { ReleaseImagesHandler } from './use-cases/release-images.js';
import { ListImagesOfStyleHandler } from './reads/list-images-of-style.js';
import { ModerationCases } from './moderation/moderation-cases.js';
import { Suspensions } from './moderation/suspensions.js';
import { GetSuspensionHandler } from './reads/get-suspension.js';
import { GetTakeDownHandler } from './reads/get-take-down.js';
import { DecideCaseHandler } from './use-cases/decide-case.js';
import { MoveHiddenFilesHandler } from './use-cases/move-hidden-files.js';
import { LiftSuspensionHandler, SuspendUserHandler } from './use-cases/suspend-user.js';
import { UndoDecisionHandler } from './use-cases/undo-decision.js';
import { GenerationCleaner } from './workers/clean-generations.js';
import { GenerationReconciler } from './workers/reconcile-generations.js';

/** Turns prompts into images, and refunds what fails. */
@Module({
  controllers: [
    GenerationController,
    GenerationEventsController,
    ReplicateWebhookController,
    ReportsController,
    TestsController,
    ModelTrialsController,
    ReplicateApiController,
    GenerationsTableController,
    CreatorEarningsController,
  ],
  providers: [
    { provide: ImageProvider, useClass: ReplicateImageProvider },
    RuleModerator,
    {
      provide: PromptModerator,
      inject: [RuleModerator, CONFIG, PROVIDER_SETTINGS],
      useFactory: (rules: RuleModerator, { moderationModel }: Config, { replicate }: ProviderSettings) =>
        moderationModel === null ? rules : new ReplicateModerator(rules, replicate, moderationModel),
    },
    RefusalLog,
    PromptPolicy,
    GenerationRows,
    StartRows,
    PredictionRows,
    CreditRows,
    ImageRows,
    ClosedOwners,
    DeletedMedia,
    HiddenMedia,
    WithheldMedia,
    GenerationChanges,
    OpenStreams,
    PredictionRecorder,
    CreditCloser,
    OutputCopier,
    GenerationFinisher,
    GenerationWorker,
    GenerationReconciler,
    GenerationCleaner,
    WebhookAddress,
    PredictionStarter,
    StartGenerationHandler,
    StartTestHandler,
    RateTestHandler,
    DrawModelTrialHandler,
    AssignTestedModelHandler,
    CheckModelHandler,
    GetModelTrialHandler,
    GetApplicantPicturesHandler,
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
    ConsentFollower,
    TakeDownRows,
    ModerationCases,
    Suspensions,
    DecideCaseHandler,
    UndoDecisionHandler,
    MoveHiddenFilesHandler,
    SuspendUserHandler,
    LiftSuspensionHandler,
    GetSuspensionHandler,
    GetTakeDownHandler,
    OpenTakeDownHandler,
    EndTakeDownHandler,
    EraseTakeDownsHandler,
    ListImagesOfStyleHandler,
    ListImagesOfOwnerHandler,
    ListImagesOfClosedOwnersHandler,
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
    GetTestAllowanceHandler,
    ListTestsHandler,
  ],
})
export class GenerationModule {
  /** With another `ImageProvider` or `OutputCopier`: a provider of a dynamic module replaces that of the decorator. */
  static with(replacements: Provider[]): DynamicModule {
    return { module: GenerationModule, providers: replacements };
  }
}
