import { Injectable, Logger } from '@nestjs/common';
import { type AspectRatio } from '../../contract/aspect-ratios.js';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { type Creator } from '../../creators/index.js';
import { type CreditTypeUsed } from '../../credits/index.js';
import { DatabaseSilentError } from '../../platform/database/budgeted-pool.js';
import { DomainError } from '../../platform/domain-error.js';
import { AlreadyPendingError, StartedBeforeError } from '../rows/start-rows.js';
import { PredictionRows } from '../rows/prediction-rows.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { MESSAGES } from '../messages.js';
import {
  ImageProvider,
  type ModelReference,
  type Prediction,
  ProviderOutcomeUnknownError,
  ProviderRefusedError,
} from '../providers/image-provider.js';
import { WebhookAddress } from '../providers/webhook-address.js';
import { CreditCloser } from '../steps/close-credits.js';
import { GenerationWorker } from '../steps/generation-worker.js';

/** A pending row without a prediction. */
interface Startable {
  /** The generation's id. */
  readonly id: string;
  readonly prompt: string;
  readonly aspectRatio: AspectRatio;
  readonly reference: ModelReference;
}

const START_FAILED: Failure = { message: MESSAGES.startFailed, reason: 'api_failure' };

/** The token is not valid, or the account has no credit or no right. A retry does not help; an operator does. */
const OF_OUR_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403]);

/** The last step of every start, paid or test: one request to the provider for a pending row. */
@Injectable()
export class PredictionStarter {
  private readonly logger = new Logger(PredictionStarter.name);

  constructor(
    private readonly rows: PredictionRows,
    private readonly provider: ImageProvider,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
    private readonly webhooks: WebhookAddress,
  ) {}

  /**
   * @param creditTypeUsed stored with the prediction; missing when nothing was deducted
   * @returns the prediction's id; null when the provider's answer was lost
   * @throws DomainError when the provider refuses. The generation has then failed, and is refunded
   */
  async start(generation: Startable, creditTypeUsed?: CreditTypeUsed): Promise<string | null> {
    const prediction = await this.rows.step('create', () => this.create(generation));
    if (!prediction) return null;
    const stored = await this.rows.step('store-prediction', () =>
      this.rows.storePrediction(generation.id, prediction.id, creditTypeUsed),
    );
    // It was cancelled during the start: the worker cancels the prediction.
    if (stored && stored.status !== 'pending') this.worker.kick(generation.id);
    return prediction.id;
  }

  /** Ends the row and refunds at once. The reconciler completes what fails here. */
  async giveUp(id: string, failure: Failure): Promise<void> {
    try {
      const failed = await this.rows.step('fail', () => this.rows.fail(id, failure));
      if (failed) await this.credits.refund(failed);
    } catch (error) {
      this.logger.error('The clean-up of a failed start failed; the reconciler retries it.', {
        generationId: id,
        error,
      });
    }
  }

  /** For the health of the product. */
  private async noteRefusal(status: number): Promise<void> {
    try {
      await this.rows.noteRefusal(status);
    } catch (error) {
      this.logger.warn('A refusal of the provider could not be noted.', { status, error });
    }
  }

  /** Null when the answer was lost. The prediction may exist, so nothing is repeated or refunded yet. */
  private async create({ id, prompt, aspectRatio, reference }: Startable): Promise<Prediction | null> {
    try {
      return await this.provider.create({
        model: reference,
        prompt,
        aspectRatio,
        webhookUrl: this.webhooks.forGeneration(id),
        cancelAfterSeconds: GENERATION_TIMEOUT_MS / 1000,
      });
    } catch (error) {
      if (error instanceof ProviderOutcomeUnknownError) {
        this.logger.warn('The provider did not answer; a prediction may exist.', { generationId: id, error });
        return null;
      }
      if (!(error instanceof ProviderRefusedError)) throw error;
      this.logger.error('The provider refused a prediction.', { generationId: id, status: error.status, error });
      await this.giveUp(id, START_FAILED);
      if (error.status !== null && OF_OUR_ACCOUNT.has(error.status)) await this.noteRefusal(error.status);
      if (error.retryAfterSeconds === null) {
        throw new DomainError('upstreamFailed', MESSAGES.startFailed, { cause: error });
      }
      const { retryAfterSeconds } = error;
      throw new DomainError('unavailable', MESSAGES.startFailed, { retryAfterSeconds, cause: error });
    }
  }
}

/**
 * Inserts the row of a start.
 * @param alreadyPending the text of the refusal when another one is pending
 * @throws DomainError conflict when another one is pending, unavailable when the row was not stored
 * @throws StartedBeforeError
 */
export async function insertRow<T>(insert: () => Promise<T>, alreadyPending: string): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (error instanceof AlreadyPendingError) {
      throw new DomainError('conflict', alreadyPending, { cause: error });
    }
    if (error instanceof DomainError || error instanceof StartedBeforeError) throw error;
    // The insert may have succeeded, so the answer must not say that it failed. The reconciler ends such a row.
    if (error instanceof DatabaseSilentError && error.mayBeDone) throw error;
    throw new DomainError('unavailable', MESSAGES.recordNotCreated, { retryAfterSeconds: 5, cause: error });
  }
}

/**
 * The model that draws in a creator's style, and its stored name.
 * @throws DomainError unprocessable when there is none
 */
export function modelOf(creator: Pick<Creator, 'name' | 'deploymentName' | 'loraId'>): {
  readonly name: string;
  readonly reference: ModelReference;
} {
  const { deploymentName, loraId } = creator;
  if (deploymentName) return { name: deploymentName, reference: { deploymentName } };
  if (loraId) return { name: loraId, reference: { version: loraId } };
  throw new DomainError('unprocessable', MESSAGES.noModel(creator.name), { code: '22023' });
}
