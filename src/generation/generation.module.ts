import { Module } from '@nestjs/common';
import { CancelGenerationHandler } from './cancel-generation.js';
import { CreditCloser } from './close-credits.js';
import { DeleteGenerationHandler } from './delete-generation.js';
import { DeletedMedia } from './deleted-media.js';
import { GenerationFinisher } from './finish-generation.js';
import { GenerationChanges } from './generation-changes.js';
import { GenerationEventsController } from './generation-events.controller.js';
import { GenerationReader } from './generation-reader.js';
import { GenerationRows } from './generation-rows.js';
import { GenerationWorker } from './generation-worker.js';
import { GenerationController } from './generation.controller.js';
import { HideGenerationHandler } from './hide-generation.js';
import { ImageProvider } from './image-provider.js';
import { GetGenerationHandler, GetGenerationsHandler } from './read-generations.js';
import { GenerationReconciler } from './reconcile-generations.js';
import { PredictionRecorder } from './record-prediction.js';
import { ModerationController } from './moderation/moderation.controller.js';
import { ModerationRefusals } from './moderation/moderation-refusals.js';
import { PromptModerator } from './moderation/prompt-moderator.js';
import { RuleModerator } from './moderation/rule-moderator.js';
import { RefundFailedGenerationHandler } from './refund-failed-generation.js';
import { GenerationReports } from './reports/generation-reports.js';
import { ReportGenerationHandler } from './reports/report-generation.js';
import { ReportsController } from './reports/reports.controller.js';
import { GetReportedImageHandler, ResolveReportsHandler } from './reports/resolve-report.js';
import { ReplicateApiController } from './replicate-api.controller.js';
import { GenerationsTableController } from './generations-table.controller.js';
import { ReplicateImageProvider } from './replicate-image-provider.js';
import { ReplicateWebhookController } from './replicate-webhook.controller.js';
import { StartGenerationHandler } from './start-generation.js';
import { SyncGenerationHandler } from './sync-generation.js';
import { TimeOutGenerationHandler } from './time-out-generation.js';
import { WebhookAddress } from './webhook-address.js';

@Module({
  controllers: [
    GenerationController,
    GenerationEventsController,
    ReplicateWebhookController,
    ModerationController,
    ReportsController,
    ReplicateApiController,
    GenerationsTableController,
  ],
  providers: [
    { provide: ImageProvider, useClass: ReplicateImageProvider },
    { provide: PromptModerator, useClass: RuleModerator },
    ModerationRefusals,
    GenerationRows,
    GenerationReports,
    DeletedMedia,
    GenerationReader,
    GenerationChanges,
    PredictionRecorder,
    CreditCloser,
    GenerationFinisher,
    GenerationWorker,
    GenerationReconciler,
    WebhookAddress,
    StartGenerationHandler,
    CancelGenerationHandler,
    SyncGenerationHandler,
    TimeOutGenerationHandler,
    RefundFailedGenerationHandler,
    HideGenerationHandler,
    DeleteGenerationHandler,
    ReportGenerationHandler,
    GetReportedImageHandler,
    ResolveReportsHandler,
    GetGenerationHandler,
    GetGenerationsHandler,
  ],
})
export class GenerationModule {}
