import { Module } from '@nestjs/common';
import { CancelGenerationHandler } from './use-cases/cancel-generation.js';
import { CreditCloser } from './workers/close-credits.js';
import { DeleteGenerationHandler } from './use-cases/delete-generation.js';
import { DeletedMedia } from './workers/deleted-media.js';
import { GenerationFinisher } from './use-cases/finish-generation.js';
import { GenerationChanges } from './workers/generation-changes.js';
import { GenerationEventsController } from './http/generation-events.controller.js';
import { GenerationReader } from './reads/generation-reader.js';
import { GenerationRows } from './generation-rows.js';
import { GenerationWorker } from './workers/generation-worker.js';
import { GenerationController } from './http/generation.controller.js';
import { HideGenerationHandler } from './use-cases/hide-generation.js';
import { ImageProvider } from './providers/image-provider.js';
import { GetGenerationHandler, GetGenerationsHandler } from './reads/read-generations.js';
import { GenerationReconciler } from './workers/reconcile-generations.js';
import { PredictionRecorder } from './use-cases/record-prediction.js';
import { ModerationController } from './http/moderation.controller.js';
import { ModerationRefusals } from './reads/moderation-refusals.js';
import { PromptModerator } from './moderation/prompt-moderator.js';
import { RuleModerator } from './moderation/rule-moderator.js';
import { RefundFailedGenerationHandler } from './use-cases/refund-failed-generation.js';
import { GenerationReports } from './reads/generation-reports.js';
import { ReportGenerationHandler } from './use-cases/report-generation.js';
import { ReportsController } from './http/reports.controller.js';
import { GetReportedImageHandler, ResolveReportsHandler } from './use-cases/resolve-report.js';
import { ReplicateApiController } from './http/replicate-api.controller.js';
import { GenerationsTableController } from './http/generations-table.controller.js';
import { ReplicateImageProvider } from './providers/replicate-image-provider.js';
import { ReplicateWebhookController } from './http/replicate-webhook.controller.js';
import { StartGenerationHandler } from './use-cases/start-generation.js';
import { SyncGenerationHandler } from './use-cases/sync-generation.js';
import { TimeOutGenerationHandler } from './use-cases/time-out-generation.js';
import { WebhookAddress } from './providers/webhook-address.js';

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
