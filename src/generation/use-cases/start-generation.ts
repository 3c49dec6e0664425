import { Logger } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { GENERATION_COST } from '../../contract/prices.js';
import { type CreatorSummary } from '../../creators/index.js';
import {
  type Balances,
  type CreditTypeUsed,
  DeductCredits,
  type DeductCreditsResult,
  DeductionRefusedError,
  InsufficientCreditsError,
} from '../../credits/index.js';
import { DatabaseSilentError } from '../../platform/database/budgeted-pool.js';
import { ApiError } from '../../platform/http/api-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CreditCloser } from '../workers/close-credits.js';
import { AlreadyPendingError, GenerationRows } from '../generation-rows.js';
import { GenerationWorker } from '../workers/generation-worker.js';
import {
  ImageProvider,
  type ModelReference,
  type Prediction,
  ProviderOutcomeUnknownError,
  ProviderRefusedError,
} from '../providers/image-provider.js';
import { type Failure } from '../judge-prediction.js';
import { MESSAGES, POLICY_MESSAGES } from '../messages.js';
import { ModerationRefusals } from '../reads/moderation-refusals.js';
import { PromptModerator } from '../moderation/prompt-moderator.js';
import { creatorForGeneration, type CreatorReference } from '../reads/read-creator.js';
import { sanitisePrompt } from '../sanitise-prompt.js';
import { WebhookAddress } from '../providers/webhook-address.js';

export interface StartedGeneration {
  readonly generationId: string;
  /** null when the provider's answer was lost: a webhook may still name it, else the credits go back. */
  readonly predictionId: string | null;
  readonly balances: Balances;
  readonly creditTypeUsed: CreditTypeUsed;
}

/**
 * Takes the credits and has a picture drawn.
 * @throws ApiError with the product's text for every refusal; then no credits are gone
 */
export class StartGeneration extends Command<StartedGeneration> {
  constructor(
    readonly userId: string,
    /** As the fan typed it; it is sanitised here. */
    readonly prompt: string,
    /** The creator's id, or the model that is theirs. */
    readonly creator: CreatorReference,
    /** Instead of asking the provider (`test-predictions.ts`); only while its sandbox runs. */
    readonly testPredictionId?: string,
  ) {
    super();
  }
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
    private readonly refusals: ModerationRefusals,
  ) {}

  async execute({
    userId,
    prompt: rawPrompt,
    creator: reference,
    testPredictionId,
  }: StartGeneration): Promise<StartedGeneration> {
    const prompt = sanitisePrompt(rawPrompt);
    if (prompt === '') throw new ApiError(422, MESSAGES.invalidPrompt, { code: '22023' });
    const creator = await creatorForGeneration(this.queries, reference);
    const model = modelOf(creator);
    await this.moderate({ userId, creatorId: model.creatorId, prompt });

    const id = this.ids.next();
    const holder = this.ids.next();
    const of = { id, userId, creatorId: model.creatorId, holder };
    await this.insert({ ...of, prompt, model: model.name, predictionId: testPredictionId ?? null });
    const deduction = await this.rows.step('deduct', () => this.deduct(of));
    const predictionId =
      testPredictionId ?? (await this.draw({ id, userId, prompt, model: model.reference }, deduction.creditTypeUsed));
    return {
      generationId: id,
      predictionId,
      balances: deduction.balances,
      creditTypeUsed: deduction.creditTypeUsed,
    };
  }

  /** @returns the prediction's id; null when the provider's answer was lost */
  private async draw(
    of: Parameters<StartGenerationHandler['create']>[0],
    creditTypeUsed: CreditTypeUsed,
  ): Promise<string | null> {
    const prediction = await this.rows.step('create', () => this.create(of));
    if (!prediction) return null;
    const stored = await this.rows.step('store-prediction', () =>
      this.rows.storePrediction(of.id, prediction.id, creditTypeUsed),
    );
    // Cancelled while it was starting: nobody waits for the prediction.
    if (stored && stored.status !== 'pending') this.worker.kick(of.id);
    return prediction.id;
  }

  /** @throws ApiError when the prompt falls under the content policy; it is kept for admins, and not logged */
  private async moderate(request: { userId: string; creatorId: string; prompt: string }): Promise<void> {
    const { category } = await this.moderator.moderate(request.prompt);
    if (category === null) return;
    await this.refusals.record({ ...request, category });
    throw new ApiError(422, POLICY_MESSAGES[category], { code: '22023', details: category });
  }

  private async insert(row: Omit<Parameters<GenerationRows['insert']>[0], 'cost'>): Promise<void> {
    try {
      await this.rows.step('insert', () => this.rows.insert({ ...row, cost: GENERATION_COST }));
    } catch (error) {
      if (error instanceof AlreadyPendingError) throw new ApiError(409, MESSAGES.alreadyPending, { cause: error });
      // Not known to have failed: nobody is told so. The reconciler ends a row that is there after all.
      if (error instanceof DatabaseSilentError && error.mayBeDone) throw error;
      throw new ApiError(503, MESSAGES.recordNotCreated, { retryAfterSeconds: 5, cause: error });
    }
  }

  private async deduct(of: {
    readonly id: string;
    readonly userId: string;
    readonly creatorId: string;
    readonly holder: string;
  }): Promise<DeductCreditsResult> {
    try {
      return await this.commands.execute(
        new DeductCredits({ userId: of.userId, deductionId: of.id, amount: GENERATION_COST, creatorId: of.creatorId }),
      );
    } catch (error) {
      if (error instanceof InsufficientCreditsError) {
        await this.rows.step('drop', () => this.rows.drop(of.id, of.holder));
        throw new ApiError(402, MESSAGES.insufficientCredits, { code: 'P0402', cause: error });
      }
      // Whether credits were taken is not known, and the refund does not need to know: it returns or voids.
      await this.giveUp(of.id, of.userId, DEDUCTION_FAILED);
      if (error instanceof DeductionRefusedError) throw new ApiError(409, MESSAGES.startFailed, { cause: error });
      throw new ApiError(503, MESSAGES.startFailed, { retryAfterSeconds: 5, cause: error });
    }
  }

  /** null when the answer was lost: the prediction may exist, so nothing is repeated and nothing is given up yet. */
  private async create(of: {
    readonly id: string;
    readonly userId: string;
    readonly prompt: string;
    readonly model: ModelReference;
  }): Promise<Prediction | null> {
    try {
      return await this.provider.create({
        model: of.model,
        prompt: of.prompt,
        webhookUrl: this.webhooks.of(of.id),
        cancelAfterSeconds: GENERATION_TIMEOUT_MS / 1000,
      });
    } catch (error) {
      if (error instanceof ProviderOutcomeUnknownError) {
        this.logger.warn('The provider did not answer; a prediction may exist.', { generationId: of.id, error });
        return null;
      }
      if (!(error instanceof ProviderRefusedError)) throw error;
      this.logger.error('The provider refused a prediction.', { generationId: of.id, status: error.status, error });
      await this.giveUp(of.id, of.userId, START_FAILED);
      throw new ApiError(error.retryAfterSeconds === null ? 502 : 503, MESSAGES.startFailed, {
        ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
        cause: error,
      });
    }
  }

  /** Ends the row and gives the credits back at once; what does not work now is done by the reconciler. */
  private async giveUp(id: string, userId: string, failure: Failure): Promise<void> {
    try {
      const failed = await this.rows.step('fail', () => this.rows.fail(id, failure));
      if (failed) await this.credits.refund({ id, user_id: userId, refund_reason: failure.reason });
    } catch (error) {
      this.logger.error('A start that failed is not cleaned up yet; it will be.', { generationId: id, error });
    }
  }
}

interface ChosenModel {
  readonly creatorId: string;
  readonly name: string;
  readonly reference: ModelReference;
}

/** @throws ApiError when this creator's style is not to be had */
function modelOf(creator: CreatorSummary | null): ChosenModel {
  if (!creator) throw new ApiError(404, MESSAGES.creatorNotAvailable);
  if (creator.status !== 'active' || !creator.isVisible) throw new ApiError(409, MESSAGES.creatorNotAvailable);
  if (creator.deploymentName) {
    return {
      creatorId: creator.id,
      name: creator.deploymentName,
      reference: { deploymentName: creator.deploymentName },
    };
  }
  if (creator.loraId) {
    return { creatorId: creator.id, name: creator.loraId, reference: { version: creator.loraId } };
  }
  throw new ApiError(422, MESSAGES.noModel(creator.name), { code: '22023' });
}
