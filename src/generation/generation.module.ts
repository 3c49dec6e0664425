import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ClosedOwners } from './closed-owners.js';
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
import { ImageProvider } from './providers/image-provider.js';
import { ReplicateImageProvider } from './providers/replicate-image-provider.js';
import { WebhookAddress } from './providers/webhook-address.js';
import { PredictionRecorder } from './predictions/record-prediction.js';
import { ROWS } from './rows/providers.js';
import { MODERATION } from './moderation/providers.js';
import { IMAGES } from './images/providers.js';
import { STEPS } from './steps/providers.js';
import { WORKERS } from './workers/providers.js';
import * as useCases from './use-cases/handlers.js';
import * as reads from './reads/handlers.js';

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
    ClosedOwners,
    OpenStreams,
    PredictionRecorder,
    WebhookAddress,
    ...ROWS,
    ...MODERATION,
    ...IMAGES,
    ...STEPS,
    ...WORKERS,
    ...Object.values(useCases),
    ...Object.values(reads),
  ],
})
export class GenerationModule {
  /** With another `ImageProvider` or `OutputCopier`: a provider of a dynamic module replaces that of the decorator. */
  static with(replacements: Provider[]): DynamicModule {
    return { module: GenerationModule, providers: replacements };
  }
}
