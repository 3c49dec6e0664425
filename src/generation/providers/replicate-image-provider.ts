import { Inject, Injectable } from '@nestjs/common';
import { type default as Replicate, validateWebhook } from 'replicate';
import { type AspectRatio, DRAWN_SHAPES } from '../../contract/aspect-ratios.js';
import { Clock } from '../../platform/clock.js';
import {
  PROVIDER_SETTINGS,
  type ProviderSettings,
  type ReplicateSettings,
} from '../../platform/config/provider-settings.js';
import {
  ImageProvider,
  MalformedWebhookError,
  type ModelReference,
  type Prediction,
  PredictionNotFoundError,
  type PredictionRequest,
  type PredictionStatus,
  ProviderOutcomeUnknownError,
  ProviderRefusedError,
  ProviderUnavailableError,
  type VerifiedWebhook,
  type WebhookHeaders,
} from './image-provider.js';
import { CallFailed, callReplicate } from './replicate-call.js';
import { type CallProblem } from './replicate-transport.js';

const CALL_TIMEOUT_MS = 20_000;

/** Older webhooks are treated as replays; Replicate recommends this age. */
const WEBHOOK_TOLERANCE_MS = 5 * 60_000;

/** Used when a 429 has no usable `Retry-After`. */
const DEFAULT_RETRY_AFTER_SECONDS = 10;

const STATUSES: ReadonlySet<string> = new Set<PredictionStatus>([
  'starting',
  'processing',
  'succeeded',
  'failed',
  'canceled',
  'aborted',
]);

/** Statuses of a cancel that mean that the prediction has ended. */
const ALREADY_ENDED: ReadonlySet<number> = new Set([404, 409, 410, 422]);

/** Statuses of a look-up that mean that there is no such model, or not for this account. */
const NOT_FOUND: ReadonlySet<number> = new Set([403, 404]);

/** Replicate through its own SDK. The sandbox has the same API. */
@Injectable()
export class ReplicateImageProvider extends ImageProvider {
  private readonly settings: ReplicateSettings;
  private webhookSecret: Promise<string> | null = null;

  constructor(
    @Inject(PROVIDER_SETTINGS) providers: Pick<ProviderSettings, 'replicate'>,
    private readonly clock: Clock,
  ) {
    super();
    this.settings = providers.replicate;
  }

  override async create(request: PredictionRequest): Promise<Prediction> {
    const send = senderTo(request.model);
    const body = {
      input: { prompt: request.prompt, ...shapeInputs(request.aspectRatio) },
      webhook: request.webhookUrl,
      webhook_events_filter: ['start', 'completed'] as ('start' | 'completed')[],
    };
    const headers = { 'Cancel-After': `${Math.round(request.cancelAfterSeconds)}s` };
    try {
      return await this.call((client) => send(client, body), headers);
    } catch (error) {
      throw this.asCreationError(error);
    }
  }

  override async get(predictionId: string): Promise<Prediction> {
    if (!isPredictionId(predictionId)) throw new PredictionNotFoundError('Not an id of a prediction.');
    try {
      return await this.call((client) => client.predictions.get(predictionId));
    } catch (error) {
      if (error instanceof CallFailed && error.problem.kind === 'status' && error.problem.status === 404) {
        throw new PredictionNotFoundError('The provider has no such prediction.');
      }
      throw asUnavailable(error);
    }
  }

  override async cancel(predictionId: string): Promise<void> {
    if (!isPredictionId(predictionId)) return;
    try {
      await this.call((client) => client.predictions.cancel(predictionId));
    } catch (error) {
      const { problem } = error instanceof CallFailed ? error : { problem: null };
      if (problem?.kind === 'status' && ALREADY_ENDED.has(problem.status)) return;
      throw asUnavailable(error);
    }
  }

  override async hasModel(model: ModelReference): Promise<boolean> {
    const look = lookUp(model);
    if (!look) return false;
    try {
      return await this.request(look);
    } catch (error) {
      if (error instanceof CallFailed && error.problem.kind === 'status' && NOT_FOUND.has(error.problem.status)) {
        return false;
      }
      throw asUnavailable(error);
    }
  }

  override async verifyWebhook(headers: WebhookHeaders, rawBody: string, now: Date): Promise<VerifiedWebhook | null> {
    const { id, timestamp, signature } = headers;
    if (!id || !timestamp || !signature || rawBody === '') return null;
    // The SDK does not check the age.
    const age = /^\d{1,12}$/.test(timestamp) ? Math.abs(now.getTime() - Number(timestamp) * 1000) : Infinity;
    if (age > WEBHOOK_TOLERANCE_MS) return null;
    const secret = await this.secret();
    if (!(await validateWebhook({ id, timestamp, signature, body: rawBody, secret }))) return null;
    try {
      return { deliveryId: id, prediction: toPrediction(JSON.parse(rawBody)) };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof MalformedPrediction) throw new MalformedWebhookError(error);
      throw error;
    }
  }

  /** Sends one call once. @throws CallFailed, MalformedPrediction */
  private async call(
    work: (client: Replicate) => Promise<unknown>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Prediction> {
    return toPrediction(await this.request(work, headers));
  }

  private request<T>(
    work: (client: Replicate) => Promise<T>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    return callReplicate(this.settings, work, { timeoutMs: CALL_TIMEOUT_MS, headers });
  }

  private asCreationError(error: unknown): Error {
    if (!(error instanceof CallFailed)) {
      return new ProviderOutcomeUnknownError('The provider sent an unreadable answer.', { cause: error });
    }
    const { problem } = error;
    if (problem.kind === 'not-sent') {
      return new ProviderRefusedError('The provider cannot be reached.', null, null, { cause: problem.cause });
    }
    if (problem.kind === 'no-answer') {
      return new ProviderOutcomeUnknownError('The provider did not answer.', { cause: problem.cause });
    }
    // A gateway may send a 5xx after the application has done the work. A redirect is no answer.
    if (problem.status >= 500 || problem.status === 408 || problem.status < 400) {
      return new ProviderOutcomeUnknownError(error.message);
    }
    return new ProviderRefusedError(error.message, problem.status, this.retryAfter(problem));
  }

  private retryAfter(problem: Extract<CallProblem, { kind: 'status' }>): number | null {
    if (problem.status !== 429) return null;
    const { retryAfter } = problem;
    if (retryAfter === null) return DEFAULT_RETRY_AFTER_SECONDS;
    if (/^\d{1,6}$/.test(retryAfter)) return Number(retryAfter);
    const seconds = Math.ceil((Date.parse(retryAfter) - this.clock.now().getTime()) / 1000);
    return Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER_SECONDS : Math.max(0, seconds);
  }

  private async secret(): Promise<string> {
    if (this.settings.webhookSecret !== null) return this.settings.webhookSecret;
    this.webhookSecret ??= this.request(async (client) => (await client.webhooks.default.secret.get()).key);
    try {
      return await this.webhookSecret;
    } catch (error) {
      this.webhookSecret = null;
      throw asUnavailable(error);
    }
  }
}

class MalformedPrediction extends Error {
  override readonly name = 'MalformedPrediction';
}

type CreationBody = Parameters<Replicate['deployments']['predictions']['create']>[2];

/**
 * The inputs for a shape. Flux reads the ratio, SDXL the size; the provider ignores inputs that a model does not have.
 * A square has none, because models draw it by default.
 */
function shapeInputs(aspectRatio: AspectRatio): Readonly<Record<string, string | number>> {
  if (aspectRatio === 'square') return {};
  const { ratio, width, height } = DRAWN_SHAPES[aspectRatio];
  return { aspect_ratio: ratio, width, height };
}

/** @throws ProviderRefusedError for a malformed deployment name */
function senderTo(model: ModelReference): (client: Replicate, body: CreationBody) => Promise<unknown> {
  const { deploymentName, version } = model;
  if (version !== undefined) return (client, body) => client.predictions.create({ ...body, version });
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(deploymentName) ?? [];
  if (owner === undefined || name === undefined) {
    throw new ProviderRefusedError('The deployment is not named owner/name.', null, null);
  }
  return (client, body) => client.deployments.predictions.create(owner, name, body);
}

/** Null for a reference that the provider cannot look up. */
function lookUp({ deploymentName, version }: ModelReference): ((client: Replicate) => Promise<boolean>) | null {
  if (version === undefined) {
    const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(deploymentName) ?? [];
    if (owner === undefined || name === undefined) return null;
    return async (client) => (await client.deployments.get(owner, name)).name === name;
  }
  const [, owner, name, id] = /^([\w.-]+)\/([\w.-]+):([0-9a-f]{64})$/.exec(version) ?? [];
  if (owner === undefined || name === undefined || id === undefined) return null;
  return async (client) => (await client.models.versions.get(owner, name, id)).id === id;
}

function isPredictionId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(id);
}

function asUnavailable(error: unknown): ProviderUnavailableError {
  const { problem } = error instanceof CallFailed ? error : { problem: null };
  const cause = problem === null ? error : problem.kind === 'status' ? undefined : problem.cause;
  return new ProviderUnavailableError(
    error instanceof CallFailed ? error.message : 'The provider sent an unreadable answer.',
    cause === undefined ? undefined : { cause },
  );
}

/** An unknown status counts as `starting`, so that the prediction is polled again. @throws MalformedPrediction */
export function toPrediction(value: unknown): Prediction {
  if (typeof value !== 'object' || value === null) throw new MalformedPrediction('Not a prediction.');
  const { id, status, output, error, started_at, completed_at } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !isPredictionId(id) || typeof status !== 'string') {
    throw new MalformedPrediction('A prediction without id or status.');
  }
  return {
    id,
    status: STATUSES.has(status) ? (status as PredictionStatus) : 'starting',
    output: output ?? null,
    error: errorText(error),
    startedAt: parseDate(started_at),
    completedAt: parseDate(completed_at),
  };
}

/** The sentence of an error. Some models send an object; its JSON helps no one. */
function errorText(error: unknown): string | null {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return null;
  const { message, detail, error: inner, title } = error as Readonly<Record<string, unknown>>;
  return [message, detail, inner, title].map(errorText).find((text) => text !== null) ?? null;
}

function parseDate(value: unknown): Date | null {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? null : new Date(time);
}
