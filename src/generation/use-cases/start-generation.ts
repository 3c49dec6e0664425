import { Logger } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { type CreatorForUser, type CreatorReference } from '../../creators/index.js';
import {
  AccountDeletedError,
  type Balances,
  type CreditTypeUsed,
  DeductCredits,
  type DeductCreditsResult,
  DeductionRefusedError,
  InsufficientCreditsError,
} from '../../credits/index.js';
import { DatabaseSilentError } from '../../platform/database/budgeted-pool.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { AlreadyPendingError, GenerationRows } from '../generation-rows.js';
import { type Failure } from '../judge-prediction.js';
import { MESSAGES, POLICY_MESSAGES } from '../messages.js';
import { PromptModerator } from '../moderation/prompt-moderator.js';
import { RefusalLog } from '../moderation/refusal-log.js';
import {
  ImageProvider,
  type ModelReference,
  type Prediction,
  ProviderOutcomeUnknownError,
  ProviderRefusedError,
} from '../providers/image-provider.js';
import { WebhookAddress } from '../providers/webhook-address.js';
import { sanitisePrompt } from '../sanitise-prompt.js';
import { CreditCloser } from '../workers/close-credits.js';
import { GenerationWorker } from '../workers/generation-worker.js';
import { findCreator } from './find-creator.js';

export interface StartedGeneration {
  readonly generationId: string;
  /** Null when the provider's answer was lost. A webhook may still name the prediction; otherwise it is refunded. */
  readonly predictionId: string | null;
  readonly balances: Balances;
  readonly creditTypeUsed: CreditTypeUsed;
}

export interface StartGenerationInput {
  readonly userId: string;
  /** As the fan typed it; it is sanitised here. */
  readonly prompt: string;
  readonly creator: CreatorReference;
  /** The price that the fan was shown, in credits. Another price than the creator's is refused. */
  readonly expectedCost?: number | undefined;
  /** Used instead of a call to the provider (`test-predictions.ts`); only with the image sandbox. */
  readonly testPredictionId?: string | undefined;
}

/**
 * Deducts the credits and starts a prediction.
 * @throws DomainError with the product's text for every refusal; no credits are lost then
 */
export class StartGeneration extends Command<StartedGeneration> {
  constructor(readonly input: StartGenerationInput) {
    super();
  }
}

/** The data that the steps of a start share. */
interface Start {
  readonly id: string;
  readonly userId: string;
  readonly prompt: string;
  readonly model: ChosenModel;
  /** Holds the lease of the row. */
  readonly holder: string;
}

interface ChosenModel {
  readonly creatorId: string;
  readonly name: string;
  readonly reference: ModelReference;
  /** Credits of one image. */
  readonly cost: number;
  /** The fan is this creator: the image costs credits, and earns nothing. */
  readonly ownGeneration: boolean;
}

const START_FAILED: Failure = { message: MESSAGES.startFailed, reason: 'api_failure' };
const DEDUCTION_FAILED: Failure = { message: MESSAGES.noPredictionId, reason: 'server_error' };

@CommandHandler(StartGeneration)
export class StartGenerationHandler implements ICommandHandler<StartGeneration> {
  private readonly logger = new Logger(StartGenerationHandler.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly rows: GenerationRows,
    private readonly provider: ImageProvider,
    private readonly credits: CreditCloser,
    private readonly worker: GenerationWorker,
    private readonly webhooks: WebhookAddress,
    private readonly ids: IdGenerator,
    private readonly moderator: PromptModerator,
    private readonly refusals: RefusalLog,
  ) {}

  async execute({ input }: StartGeneration): Promise<StartedGeneration> {
    const { userId, creator, expectedCost, testPredictionId } = input;
    const prompt = sanitisePrompt(input.prompt);
    if (prompt === '') throw new DomainError('unprocessable', MESSAGES.invalidPrompt, { code: '22023' });
    const model = chooseModel(await findCreator(this.queries, { creator, userId }));
    if (expectedCost !== undefined && expectedCost !== model.cost) {
      throw new DomainError('unprocessable', MESSAGES.costMismatch, { code: '22023' });
    }
    await this.moderate({ userId, creatorId: model.creatorId, prompt });

    const start: Start = { id: this.ids.next(), userId, prompt, model, holder: this.ids.next() };
    await this.insert(start, testPredictionId ?? null);
    const deduction = await this.rows.step('deduct', () => this.deduct(start));
    const predictionId = testPredictionId ?? (await this.predict(start, deduction.creditTypeUsed));
    return {
      generationId: start.id,
      predictionId,
      balances: deduction.balances,
      creditTypeUsed: deduction.creditTypeUsed,
    };
  }

  /** @throws DomainError when the prompt violates the content policy. It is stored for admins and not logged. */
  private async moderate(request: { userId: string; creatorId: string; prompt: string }): Promise<void> {
    const { category } = await this.moderator.moderate(request.prompt);
    if (category === null) return;
    await this.refusals.record({ ...request, category });
    throw new DomainError('unprocessable', POLICY_MESSAGES[category], { code: '22023', details: category });
  }

  private async insert({ id, userId, prompt, model, holder }: Start, predictionId: string | null): Promise<void> {
    const { creatorId, name, cost } = model;
    const row = { id, userId, creatorId, prompt, model: name, cost, holder, predictionId };
    try {
      await this.rows.step('insert', () => this.rows.insert(row));
    } catch (error) {
      if (error instanceof AlreadyPendingError) {
        throw new DomainError('conflict', MESSAGES.alreadyPending, { cause: error });
      }
      if (error instanceof DomainError) throw error;
      // The insert may have succeeded, so the answer must not say that it failed. The reconciler ends such a row.
      if (error instanceof DatabaseSilentError && error.mayBeDone) throw error;
      throw new DomainError('unavailable', MESSAGES.recordNotCreated, { retryAfterSeconds: 5, cause: error });
    }
  }

  private async deduct({ id, userId, model, holder }: Start): Promise<DeductCreditsResult> {
    const { creatorId, cost, ownGeneration } = model;
    const deduction = { deductionId: id, amount: cost, creatorId, ownGeneration };
    try {
      return await this.commands.execute(new DeductCredits({ userId, ...deduction }));
    } catch (error) {
      if (error instanceof InsufficientCreditsError) {
        await this.rows.step('drop', () => this.rows.drop(id, holder));
        throw new DomainError('paymentRequired', MESSAGES.insufficientCredits, { code: 'P0402', cause: error });
      }
      if (error instanceof AccountDeletedError) {
        // Nothing was deducted, and no refund could ever be written.
        await this.rows.step('drop', () => this.rows.drop(id, holder));
        throw error;
      }
      // It is unknown whether credits were deducted. The refund handles both cases: it returns or voids.
      await this.giveUp(id, userId, DEDUCTION_FAILED);
      if (error instanceof DeductionRefusedError) {
        throw new DomainError('conflict', MESSAGES.startFailed, { cause: error });
      }
      throw new DomainError('unavailable', MESSAGES.startFailed, { retryAfterSeconds: 5, cause: error });
    }
  }

  /** @returns the prediction's id; null when the provider's answer was lost */
  private async predict(start: Start, creditTypeUsed: CreditTypeUsed): Promise<string | null> {
    const prediction = await this.rows.step('create', () => this.create(start));
    if (!prediction) return null;
    const stored = await this.rows.step('store-prediction', () =>
      this.rows.storePrediction(start.id, prediction.id, creditTypeUsed),
    );
    // The fan cancelled during the start: the worker cancels the prediction.
    if (stored && stored.status !== 'pending') this.worker.kick(start.id);
    return prediction.id;
  }

  /** Null when the answer was lost. The prediction may exist, so nothing is repeated or refunded yet. */
  private async create({ id, userId, prompt, model }: Start): Promise<Prediction | null> {
    try {
      return await this.provider.create({
        model: model.reference,
        prompt,
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
      await this.giveUp(id, userId, START_FAILED);
      if (error.retryAfterSeconds === null) {
        throw new DomainError('upstreamFailed', MESSAGES.startFailed, { cause: error });
      }
      const { retryAfterSeconds } = error;
      throw new DomainError('unavailable', MESSAGES.startFailed, { retryAfterSeconds, cause: error });
    }
  }

  /** Ends the row and refunds at once. The reconciler completes what fails here. */
  private async giveUp(id: string, userId: string, failure: Failure): Promise<void> {
    try {
      const failed = await this.rows.step('fail', () => this.rows.fail(id, failure));
      if (failed) await this.credits.refund({ id, user_id: userId, refund_reason: failure.reason });
    } catch (error) {
      this.logger.error('The clean-up of a failed start failed; the reconciler retries it.', {
        generationId: id,
        error,
      });
    }
  }
}

/** @throws DomainError when the creator or the creator's model is unavailable */
function chooseModel(creator: CreatorForUser | null): ChosenModel {
  if (!creator) throw new DomainError('notFound', MESSAGES.creatorNotAvailable);
  if (creator.status !== 'active' || !creator.isVisible) {
    throw new DomainError('conflict', MESSAGES.creatorNotAvailable);
  }
  const { id: creatorId, deploymentName, loraId, creditCost: cost, isUser: ownGeneration } = creator;
  const common = { creatorId, cost, ownGeneration };
  if (deploymentName) return { ...common, name: deploymentName, reference: { deploymentName } };
  if (loraId) return { ...common, name: loraId, reference: { version: loraId } };
  throw new DomainError('unprocessable', MESSAGES.noModel(creator.name), { code: '22023' });
}
