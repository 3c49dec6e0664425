import { type AspectRatio } from '../../contract/aspect-ratios.js';
import { DomainError } from '../../platform/domain-error.js';

/** Port to the provider that draws images (Replicate, or its sandbox through the same SDK). */
export abstract class ImageProvider {
  /**
   * Creates a prediction. Sends the request once and never repeats it after a lost answer.
   * @throws ProviderRefusedError when no prediction exists
   * @throws ProviderOutcomeUnknownError when a prediction may exist
   */
  abstract create(request: PredictionRequest): Promise<Prediction>;

  /** @throws PredictionNotFoundError, ProviderUnavailableError */
  abstract get(predictionId: string): Promise<Prediction>;

  /** Cancels a prediction. Resolves also when it has ended already. @throws ProviderUnavailableError */
  abstract cancel(predictionId: string): Promise<void>;

  /**
   * Whether the provider has this model, and this account may use it. A version needs its model's name
   * (`owner/name:version`): the provider finds none by the version alone.
   * @throws ProviderUnavailableError
   */
  abstract hasModel(model: ModelReference): Promise<boolean>;

  /**
   * Verifies a webhook on the raw body: signature, and age within five minutes of `now`.
   * @returns the delivery's id and its prediction; null when the webhook is not authentic
   * @throws MalformedWebhookError when it is authentic and contains no prediction
   */
  abstract verifyWebhook(headers: WebhookHeaders, rawBody: string, now: Date): Promise<VerifiedWebhook | null>;
}

/** An authentic webhook contains no prediction. */
export class MalformedWebhookError extends DomainError {
  constructor(cause: unknown) {
    super('invalid', 'The webhook is malformed.', { cause });
  }
}

/** A deployment (`owner/name`) or a model version (64 hex digits or `owner/name:version`). */
export type ModelReference =
  | { readonly deploymentName: string; readonly version?: undefined }
  | { readonly deploymentName?: undefined; readonly version: string };

export interface PredictionRequest {
  readonly model: ModelReference;
  readonly prompt: string;
  readonly aspectRatio: AspectRatio;
  /** Carries the generation's id, because a webhook can arrive before the answer. */
  readonly webhookUrl: string;
  /** The provider stops the run after this time. */
  readonly cancelAfterSeconds: number;
}

export type PredictionStatus = 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled' | 'aborted';

/** The state of a drawing at the provider, as it reported it last. */
export interface Prediction {
  readonly id: string;
  readonly status: PredictionStatus;
  /** As the provider sent it: a string, an array, an object with `url`, or null. */
  readonly output: unknown;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

export interface WebhookHeaders {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

export interface VerifiedWebhook {
  readonly deliveryId: string;
  readonly prediction: Prediction;
}

/** The provider refused; no prediction exists. */
export class ProviderRefusedError extends Error {
  constructor(
    message: string,
    readonly status: number | null,
    readonly retryAfterSeconds: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ProviderRefusedError';
  }
}

/** The answer was lost; a prediction may exist. */
export class ProviderOutcomeUnknownError extends Error {
  override readonly name = 'ProviderOutcomeUnknownError';
}

/** The provider does not answer now; a retry may succeed. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError';
}

/** The provider does not know the prediction, or has deleted it. */
export class PredictionNotFoundError extends Error {
  override readonly name = 'PredictionNotFoundError';
}
