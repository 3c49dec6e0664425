import { createHmac } from 'node:crypto';
import {
  ImageProvider,
  type ModelReference,
  type Prediction,
  PredictionNotFoundError,
  type PredictionRequest,
  ProviderOutcomeUnknownError,
  ProviderRefusedError,
  ProviderUnavailableError,
  type VerifiedWebhook,
  type WebhookHeaders,
} from '../../src/generation/providers/image-provider.js';

const SECRET = 'the fake provider signs with this';
const TOLERANCE_MS = 5 * 60_000;

/** Outcome of the next calls of `create`. */
export type CreateBehaviour = 'accept' | 'refuse' | 'lose the answer' | 'lose the request';

/** A webhook request. */
export interface Delivery {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An image provider in memory whose predictions change only when a test changes them. */
export class FakeImageProvider extends ImageProvider {
  creation: CreateBehaviour = 'accept';
  /** Status of a refusal. */
  refusal = 422;
  available = true;
  /** Calls back while `create` runs, before its answer. */
  whileCreating: (predictionId: string, request: PredictionRequest) => Promise<void> = () => Promise.resolve();
  readonly requests: PredictionRequest[] = [];
  readonly cancelled: string[] = [];
  private readonly predictions = new Map<string, Prediction>();
  private readonly webhookUrls = new Map<string, string>();
  private count = 0;

  override async create(request: PredictionRequest): Promise<Prediction> {
    this.requests.push(request);
    if (this.creation === 'refuse') throw new ProviderRefusedError('refused', this.refusal, null);
    if (this.creation === 'lose the request') throw new ProviderOutcomeUnknownError('no answer');
    this.count += 1;
    const prediction: Prediction = {
      id: `prediction-${this.count}-${Math.random().toString(36).slice(2)}`,
      status: 'starting',
      output: null,
      error: null,
      startedAt: null,
      completedAt: null,
    };
    this.predictions.set(prediction.id, prediction);
    this.webhookUrls.set(prediction.id, request.webhookUrl);
    await this.whileCreating(prediction.id, request);
    if (this.creation === 'lose the answer') throw new ProviderOutcomeUnknownError('no answer');
    return prediction;
  }

  override async get(predictionId: string): Promise<Prediction> {
    if (!this.available) throw new ProviderUnavailableError('out of service');
    const prediction = this.predictions.get(predictionId);
    if (!prediction) throw new PredictionNotFoundError(predictionId);
    return Promise.resolve(prediction);
  }

  override async cancel(predictionId: string): Promise<void> {
    if (!this.available) throw new ProviderUnavailableError('out of service');
    this.cancelled.push(predictionId);
    const prediction = this.predictions.get(predictionId);
    if (prediction && ['starting', 'processing'].includes(prediction.status)) {
      this.predictions.set(predictionId, { ...prediction, status: 'canceled' });
    }
    return Promise.resolve();
  }

  override async hasModel({ deploymentName, version }: ModelReference): Promise<boolean> {
    if (!this.available) throw new ProviderUnavailableError('out of service');
    return Promise.resolve(deploymentName === undefined ? version.includes(':') : !deploymentName.includes('/missing'));
  }

  override async verifyWebhook(headers: WebhookHeaders, rawBody: string, now: Date): Promise<VerifiedWebhook | null> {
    const { id, timestamp, signature } = headers;
    if (!id || !timestamp || signature !== sign(id, timestamp, rawBody)) return Promise.resolve(null);
    if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS) return Promise.resolve(null);
    const body = JSON.parse(rawBody) as Prediction & { startedAt: string | null };
    return Promise.resolve({
      deliveryId: id,
      prediction: { ...body, startedAt: body.startedAt === null ? null : new Date(body.startedAt) },
    });
  }

  /** Changes a prediction. `delivery` returns its webhook. */
  move(predictionId: string, change: Partial<Prediction>): Prediction {
    const prediction = this.predictions.get(predictionId);
    if (!prediction) throw new Error(`There is no prediction ${predictionId}.`);
    const moved = { ...prediction, ...change };
    this.predictions.set(predictionId, moved);
    return moved;
  }

  forget(predictionId: string): void {
    this.predictions.delete(predictionId);
  }

  ids(): string[] {
    return [...this.predictions.keys()];
  }

  /** The webhook with the current state of the prediction. */
  delivery(predictionId: string, now: Date, deliveryId = `msg_${Math.random().toString(36).slice(2)}`): Delivery {
    const body = JSON.stringify(this.predictions.get(predictionId));
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const url = new URL(this.webhookUrls.get(predictionId) ?? '');
    return {
      path: url.pathname + url.search,
      headers: {
        'content-type': 'application/json',
        'webhook-id': deliveryId,
        'webhook-timestamp': timestamp,
        'webhook-signature': sign(deliveryId, timestamp, body),
      },
      body,
    };
  }
}

function sign(id: string, timestamp: string, body: string): string {
  return createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64');
}
