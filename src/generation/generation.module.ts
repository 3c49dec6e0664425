import { Module } from '@nestjs/common';
import { CancelGenerationHandler } from './cancel-generation.js';
import { CreditCloser } from './close-credits.js';
import { GenerationFinisher } from './finish-generation.js';
import { GenerationChanges } from './generation-changes.js';
import { GenerationEventsController } from './generation-events.controller.js';
import { GenerationReader } from './generation-reader.js';
import { GenerationRows } from './generation-rows.js';
import { GenerationWorker } from './generation-worker.js';
import { GenerationController } from './generation.controller.js';
import { ImageProvider } from './image-provider.js';
import { GetGenerationHandler, GetGenerationsHandler } from './read-generations.js';
import { GenerationReconciler } from './reconcile-generations.js';
import { PredictionRecorder } from './record-prediction.js';
import { RefundFailedGenerationHandler } from './refund-failed-generation.js';
import { ReplicateImageProvider } from './replicate-image-provider.js';
import { ReplicateWebhookController } from './replicate-webhook.controller.js';
import { StartGenerationHandler } from './start-generation.js';
import { SyncGenerationHandler } from './sync-generation.js';
import { TimeOutGenerationHandler } from './time-out-generation.js';
import { WebhookAddress } from './webhook-address.js';

@Module({
  controllers: [GenerationController, GenerationEventsController, ReplicateWebhookController],
  providers: [
    { provide: ImageProvider, useClass: ReplicateImageProvider },
    GenerationRows,
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
    GetGenerationHandler,
    GetGenerationsHandler,
  ],
})
export class GenerationModule {}
