import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type AspectRatio, DEFAULT_ASPECT_RATIO } from '../../contract/aspect-ratios.js';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { CREATOR_RULES } from '../../contract/generation.js';
import { CountBlockedPrompt, type CreatorForUser, type CreatorReference } from '../../creators/index.js';
import {
  AccountDeletedError,
  type Balances,
  CanAfford,
  type CreditTypeUsed,
  DeductCredits,
  type DeductCreditsResult,
  DeductionRefusedError,
  InsufficientCreditsError,
} from '../../credits/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { IdGenerator } from '../../platform/ids.js';
import { CommandOf } from '../../platform/messages.js';
import { StartRows, type NewGeneration } from '../rows/start-rows.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { MESSAGES } from '../messages.js';
import { findBlockedTerm } from '../moderation/blocked-terms.js';
import { PromptPolicy } from '../moderation/prompt-policy.js';
import { type ModelReference } from '../providers/image-provider.js';
import { sanitisePrompt } from '../prompts/sanitise-prompt.js';
import { findCreator } from './find-creator.js';
import { insertRow, modelOf, PredictionStarter } from './start-prediction.js';

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
  /** Default square. */
  readonly aspectRatio?: AspectRatio | undefined;
  /** A UUID of the caller. A repeated one of the same user starts nothing; without one, each call starts one. */
  readonly requestId?: string | undefined;
  /** Used instead of a call to the provider (`test-predictions.ts`); only with the image sandbox. */
  readonly testPredictionId?: string | undefined;
}

/**
 * Deducts the credits and starts a prediction.
 * @throws DomainError with the product's text for every refusal; no credits are lost then
 * @throws StartedBeforeError when the request id is that of an earlier start
 */
export class StartGeneration extends CommandOf<StartGenerationInput, StartedGeneration> {}

/** The data that the steps of a start share. */
interface Start {
  readonly id: string;
  readonly userId: string;
  readonly prompt: string;
  readonly aspectRatio: AspectRatio;
  readonly model: ChosenModel;
  /** Holds the lease of the row. */
  readonly holder: string;
}

interface ChosenModel {
  readonly creatorId: string;
  readonly creatorName: string;
  readonly blockedTerms: CreatorForUser['blockedTerms'];
  readonly name: string;
  readonly reference: ModelReference;
  /** Credits of one image. */
  readonly cost: number;
  /** The fan is this creator: the image costs credits, and earns nothing. */
  readonly ownGeneration: boolean;
}

const DEDUCTION_FAILED: Failure = { message: MESSAGES.noPredictionId, reason: 'server_error' };

@CommandHandler(StartGeneration)
export class StartGenerationHandler implements ICommandHandler<StartGeneration> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly rows: StartRows,
    private readonly predictions: PredictionStarter,
    private readonly ids: IdGenerator,
    private readonly policy: PromptPolicy,
  ) {}

  async execute({ input }: StartGeneration): Promise<StartedGeneration> {
    const { userId, creator, expectedCost, aspectRatio = DEFAULT_ASPECT_RATIO, testPredictionId, requestId } = input;
    const prompt = sanitisePrompt(input.prompt);
    if (prompt === '') throw new DomainError('unprocessable', MESSAGES.invalidPrompt, { code: '22023' });
    const model = chooseModel(await findCreator(this.queries, { creator, userId }));
    if (expectedCost !== undefined && expectedCost !== model.cost) {
      throw new DomainError('unprocessable', MESSAGES.costMismatch, { code: '22023' });
    }

    const start: Start = { id: this.ids.next(), userId, prompt, aspectRatio, model, holder: this.ids.next() };
    await this.insert(start, { requestId: requestId ?? null, predictionId: testPredictionId ?? null });
    await this.requireAllowed(start);
    const deduction = await this.rows.step('deduct', () => this.deduct(start));
    const prediction = { id: start.id, prompt, aspectRatio, reference: model.reference };
    const predictionId = testPredictionId ?? (await this.predictions.start(prediction, deduction.creditTypeUsed));
    return {
      generationId: start.id,
      predictionId,
      balances: deduction.balances,
      creditTypeUsed: deduction.creditTypeUsed,
    };
  }

  /**
   * Judges the prompt of a fan who can pay. The row is there already, so a fan cannot have many prompts judged at once
   * at no cost.
   * @throws DomainError when the credits do not suffice, the prompt violates the content policy, or it contains a word
   *   that the creator blocks, which is counted; nothing is left of the start
   */
  private async requireAllowed({ id, userId, prompt, model, holder }: Start): Promise<void> {
    try {
      await this.requireCredits(userId, model.cost);
      await this.policy.require({ userId, creatorId: model.creatorId, prompt });
      const blocked = findBlockedTerm(prompt, model.blockedTerms);
      if (!blocked) return;
      await this.commands.execute(new CountBlockedPrompt({ termId: blocked.id }));
      const message = CONTROL_MESSAGES.blocked(model.creatorName, blocked.term);
      throw new DomainError('unprocessable', message, { code: '22023', details: CREATOR_RULES.blockedTerm });
    } catch (error) {
      await this.rows.step('drop', () => this.rows.drop(id, holder));
      throw error;
    }
  }

  /**
   * Refuses cheaply what the deduction would refuse.
   * @throws DomainError when the credits do not suffice
   */
  private async requireCredits(userId: string, amount: number): Promise<void> {
    const affordable = await this.queries.execute(new CanAfford({ userId, amount })).catch((cause: unknown) => {
      if (cause instanceof AccountDeletedError) throw cause;
      throw new DomainError('unavailable', MESSAGES.startFailed, { retryAfterSeconds: 5, cause });
    });
    if (!affordable) throw insufficientCredits();
  }

  private async insert(
    { id, userId, prompt, aspectRatio, model, holder }: Start,
    chosen: Pick<NewGeneration, 'requestId' | 'predictionId'>,
  ): Promise<void> {
    const { creatorId, name, cost } = model;
    const row = { id, userId, creatorId, prompt, aspectRatio, model: name, cost, holder, ...chosen };
    await insertRow(() => this.rows.step('insert', () => this.rows.insert(row)), MESSAGES.alreadyPending);
  }

  private async deduct({ id, userId, model, holder }: Start): Promise<DeductCreditsResult> {
    const { creatorId, cost, ownGeneration } = model;
    const deduction = { deductionId: id, amount: cost, creatorId, ownGeneration };
    try {
      return await this.commands.execute(new DeductCredits({ userId, ...deduction }));
    } catch (error) {
      if (error instanceof InsufficientCreditsError) {
        await this.rows.step('drop', () => this.rows.drop(id, holder));
        throw insufficientCredits(error);
      }
      if (error instanceof AccountDeletedError) {
        // Nothing was deducted, and no refund could ever be written.
        await this.rows.step('drop', () => this.rows.drop(id, holder));
        throw error;
      }
      // It is unknown whether credits were deducted. The refund handles both cases: it returns or voids.
      await this.predictions.giveUp(id, DEDUCTION_FAILED);
      if (error instanceof DeductionRefusedError) {
        throw new DomainError('conflict', MESSAGES.startFailed, { cause: error });
      }
      throw new DomainError('unavailable', MESSAGES.startFailed, { retryAfterSeconds: 5, cause: error });
    }
  }
}

function insufficientCredits(cause?: unknown): DomainError {
  return new DomainError('paymentRequired', MESSAGES.insufficientCredits, { code: 'P0402', cause });
}

/** @throws DomainError when the creator or the creator's model is unavailable, or the creator pauses */
function chooseModel(creator: CreatorForUser | null): ChosenModel {
  if (!creator) throw new DomainError('notFound', MESSAGES.creatorNotAvailable);
  if (creator.status !== 'active' || !creator.isVisible) {
    throw new DomainError('conflict', MESSAGES.creatorNotAvailable);
  }
  if (creator.paused) {
    const details = CREATOR_RULES.paused;
    throw new DomainError('conflict', CONTROL_MESSAGES.paused(creator.name), { code: '55000', details });
  }
  const { id: creatorId, name: creatorName, creditCost: cost, isUser: ownGeneration, blockedTerms } = creator;
  return { creatorId, creatorName, cost, ownGeneration, blockedTerms, ...modelOf(creator) };
}
