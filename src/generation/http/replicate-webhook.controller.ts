import { Controller, Logger, Query, Req } from '@nestjs/common';
import { type WebhookReceived } from '../../contract/routes.js';
import { Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type RawBodyRequest, WEBHOOK_BODY } from '../../platform/http/json-body.js';
import { Endpoint } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { GenerationRows } from '../rows/generation-rows.js';
import { ImageProvider } from '../providers/image-provider.js';
import { PredictionRecorder } from '../predictions/record-prediction.js';
import { GenerationWorker } from '../steps/generation-worker.js';

/** Webhooks of the image provider. A lost delivery only delays the result: the worker also polls the provider. */
@Controller()
export class ReplicateWebhookController {
  private readonly logger = new Logger(ReplicateWebhookController.name);

  constructor(
    private readonly provider: ImageProvider,
    private readonly recorder: PredictionRecorder,
    private readonly rows: GenerationRows,
    private readonly worker: GenerationWorker,
    private readonly clock: Clock,
  ) {}

  /** Records the verified prediction and answers. The worker does the rest in the background. */
  @Endpoint('POST /webhooks/replicate', { access: 'public', ...WEBHOOK_BODY })
  async receive(@Req() request: RawBodyRequest, @Query('generation') generation?: string): Promise<WebhookReceived> {
    const headers = {
      id: header(request, 'webhook-id'),
      timestamp: header(request, 'webhook-timestamp'),
      signature: header(request, 'webhook-signature'),
    };
    const body = request.rawBody?.toString('utf8') ?? '';
    const webhook = await this.provider.verifyWebhook(headers, body, this.clock.now());
    if (!webhook) throw new ApiError(401, 'The webhook could not be verified.');

    // The query is not signed, so its generation id counts only while no row has this prediction.
    const predictionId = webhook.prediction.id;
    const row = await (generation !== undefined && isUuid(generation)
      ? this.rows.findByPredictionOr(predictionId, generation)
      : this.rows.findByPrediction(predictionId));
    if (!row) {
      this.logger.warn('A webhook names an unknown generation.', { predictionId });
      return { received: true };
    }
    await this.recorder.record(row, webhook.prediction, webhook.deliveryId);
    this.worker.kick(row.id);
    return { received: true };
  }
}

function header(request: RawBodyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
