import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CreationsRequest,
  GenerationById,
  GenerationByPrediction,
  GenerationToCancel,
  OwnImagesRequest,
  StartGenerationRequest,
  TestPredictionToCancel,
} from '../../contract/calls/generation.js';
import { type AspectRatio } from '../../contract/aspect-ratios.js';
import {
  type CancelGenerationResponse,
  type GenerationCredits,
  type GenerationImage,
  type GenerationStatusRow,
  type GenerationView,
  type PaginatedGeneration,
  type RefundResponse,
  type StartGenerationResponse,
  type SyncGenerationResponse,
  type TimeoutRefundsResponse,
  type TimeoutResponse,
  type WireBalances,
} from '../../contract/generation.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS, type RateLimit } from '../../contract/rate-limits.js';
import { type Balances, GetDeductionStatus, type RefundDeductionResult } from '../../credits/index.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { DomainError } from '../../platform/domain-error.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, OptionalUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { type GenerationTarget } from '../rows/generation-rows.js';
import { StartedBeforeError } from '../rows/start-rows.js';
import { MESSAGES } from '../messages.js';
import { isTestPrediction } from '../providers/test-predictions.js';
import { GetGenerationSnapshot } from '../reads/get-generation-snapshot.js';
import { GetOwnCredits } from '../reads/get-own-credits.js';
import { GetOwnImages } from '../reads/get-own-images.js';
import { GetGenerationStatus } from '../reads/get-generation-status.js';
import { HasPendingGeneration } from '../reads/has-pending-generation.js';
import { IsPredictionKnown } from '../reads/is-prediction-known.js';
import { ListGenerations } from '../reads/list-generations.js';
import { shownImage } from '../images/visibility.js';
import { CancelGeneration, type CancelledGeneration } from '../use-cases/cancel-generation.js';
import { RefundFailedGeneration } from '../use-cases/refund-failed-generation.js';
import { StartGeneration } from '../use-cases/start-generation.js';
import { SyncGeneration } from '../use-cases/sync-generation.js';
import { TimeOutGeneration } from '../use-cases/time-out-generation.js';

/** A repeated start only reads, so it counts against the limit of reads. */
function startLimit(body: unknown): RateLimit {
  const predictionId = (body as { p_prediction_id?: unknown } | null)?.p_prediction_id;
  const starts = typeof predictionId !== 'string' || predictionId === '' || isTestPrediction(predictionId);
  return starts ? RATE_LIMITS.imageGeneration : RATE_LIMITS.dataFetch;
}

/** The remote procedures of generations. */
@Controller()
export class GenerationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PROVIDER_SETTINGS) private readonly providers: ProviderSettings,
  ) {}

  @Rpc('start_generation_by_jwt', signedIn('generate images', startLimit))
  async start(
    @CurrentUser() user: Principal,
    @Body() request: StartGenerationRequest,
  ): Promise<StartGenerationResponse> {
    const testPredictionId = await this.newTestPrediction(request.p_prediction_id ?? '');
    if (request.p_prediction_id && testPredictionId === undefined) {
      return this.startedEarlier(user, request.p_prediction_id, request.p_aspect_ratio ?? null);
    }
    const start = new StartGeneration({
      userId: user.userId,
      prompt: request.p_prompt ?? '',
      creator: request.p_creator_id ?? '',
      expectedCost: request.p_credit_cost ?? undefined,
      aspectRatio: request.p_aspect_ratio ?? undefined,
      requestId: request.p_request_id ?? undefined,
      testPredictionId,
    });
    try {
      const started = await this.commands.execute(start);
      return {
        success: true,
        generation_id: started.generationId,
        prediction_id: started.predictionId,
        status: 'pending',
        ...newBalances(started.balances),
        credit_type_used: started.creditTypeUsed,
      };
    } catch (error) {
      if (!(error instanceof StartedBeforeError)) throw error;
      return this.repeatAnswer(user, error.row, request.p_aspect_ratio ?? null);
    }
  }

  @Rpc('get_generation_by_id', { access: 'public', limit: RATE_LIMITS.statusCheck })
  async byId(@OptionalUser() user: Principal | null, @Body() request: GenerationById): Promise<GenerationView> {
    if (!request.p_generation_id) throw new ApiError(400, MESSAGES.generationIdRequired);
    const target = { generationId: parseGenerationId(request.p_generation_id) };
    const snapshot = await this.queries.execute(new GetGenerationSnapshot({ target, viewerId: user?.userId ?? null }));
    if (!snapshot) throw new ApiError(404, MESSAGES.notFound);
    return snapshot.view;
  }

  @Rpc('get_generation_by_prediction_id_jwt', signedIn('access full data', RATE_LIMITS.statusCheck))
  async byPrediction(
    @CurrentUser() user: Principal,
    @Body() request: GenerationByPrediction,
  ): Promise<GenerationView[]> {
    const target = { predictionId: request.p_prediction_id };
    const snapshot = await this.queries.execute(new GetGenerationSnapshot({ target, viewerId: user.userId }));
    if (!snapshot) throw new ApiError(404, MESSAGES.notFoundForPrediction(request.p_prediction_id));
    return [snapshot.view];
  }

  @Rpc('get_generation_status_public', { access: 'public', limit: RATE_LIMITS.statusCheck })
  async status(
    @OptionalUser() user: Principal | null,
    @Body() request: GenerationByPrediction,
  ): Promise<GenerationStatusRow[]> {
    return this.queries.execute(
      new GetGenerationStatus({ predictionId: request.p_prediction_id, viewerId: user?.userId ?? null }),
    );
  }

  @Rpc('has_active_pending_generation_jwt', signedIn('check pending generations', RATE_LIMITS.dataFetch))
  async hasPending(@CurrentUser() { userId }: Principal): Promise<boolean> {
    return this.queries.execute(new HasPendingGeneration({ userId }));
  }

  @Rpc('get_user_generations_by_jwt_paginated', signedIn('fetch user generations', RATE_LIMITS.dataFetch))
  async list(@CurrentUser() { userId }: Principal, @Body() request: CreationsRequest): Promise<PaginatedGeneration[]> {
    const limit = request.p_limit ?? PAGE_SIZES.generations;
    return this.queries.execute(
      new ListGenerations({ userId, show: request.p_show ?? 'all', limit, offset: request.p_offset ?? 0 }),
    );
  }

  @Rpc('get_own_generation_images_by_jwt', signedIn('fetch user generations', RATE_LIMITS.creditData))
  async ownImages(
    @CurrentUser() { userId }: Principal,
    @Body() { p_generation_ids: generationIds }: OwnImagesRequest,
  ): Promise<readonly GenerationImage[]> {
    return this.queries.execute(new GetOwnImages({ userId, generationIds }));
  }

  @Rpc('get_own_generation_credits_by_jwt', signedIn('fetch user generations', RATE_LIMITS.dataFetch))
  async ownCredits(@CurrentUser() { userId }: Principal, @Body() request: GenerationById): Promise<GenerationCredits> {
    if (!request.p_generation_id) throw new ApiError(400, MESSAGES.generationIdRequired);
    const generationId = parseGenerationId(request.p_generation_id);
    const credits = await this.queries.execute(new GetOwnCredits({ userId, generationId }));
    if (!credits) throw new ApiError(404, MESSAGES.notFound);
    return credits;
  }

  @Rpc('cancel_generation_by_jwt', signedIn('cancel generation', RATE_LIMITS.cancelOperations))
  async cancel(
    @CurrentUser() { userId }: Principal,
    @Body() request: GenerationToCancel,
  ): Promise<CancelGenerationResponse> {
    const target = cancelTarget(request);
    return cancelResponse(await this.commands.execute(new CancelGeneration({ userId, target })));
  }

  @Rpc('cancel_generation_securely', signedIn('cancel generation', RATE_LIMITS.cancelOperations))
  async cancelTest(
    @CurrentUser() { userId }: Principal,
    @Body() request: TestPredictionToCancel,
  ): Promise<CancelGenerationResponse> {
    const predictionId = request.p_prediction_id;
    const isOwn = (request.p_clerk_id ?? userId) === userId;
    if (!this.providers.sandboxes.replicate || !isTestPrediction(predictionId) || !isOwn) {
      throw new ApiError(404, MESSAGES.testCancelFailed);
    }
    try {
      return cancelResponse(await this.commands.execute(new CancelGeneration({ userId, target: { predictionId } })));
    } catch (error) {
      if (isRefusal(error, 'notFound')) throw new ApiError(404, MESSAGES.testCancelFailed);
      throw error;
    }
  }

  @Rpc('update_generation_status_by_jwt', signedIn('update status', RATE_LIMITS.standardApi))
  async sync(@CurrentUser() user: Principal, @Body() request: GenerationByPrediction): Promise<SyncGenerationResponse> {
    const row = await this.commands.execute(
      new SyncGeneration({ userId: user.userId, predictionId: request.p_prediction_id }),
    );
    return {
      success: true,
      generation_id: row.id,
      prediction_id: row.prediction_id,
      status: row.status,
      error_message: row.error_message,
      image_url: shownImage(row, { isAdmin: false })?.url ?? null,
    };
  }

  @Rpc('process_generation_timeout_immediate', signedIn('process a timeout', RATE_LIMITS.financialOps))
  async timeOut(@CurrentUser() user: Principal, @Body() request: GenerationByPrediction): Promise<TimeoutResponse> {
    const target = { predictionId: request.p_prediction_id };
    const { generationId, refund } = await this.commands.execute(
      new TimeOutGeneration({ userId: user.userId, target }),
    );
    return { ...refundResponse(refund), message: MESSAGES.timedOut, generation_id: generationId };
  }

  @Rpc('process_timeout_refunds_by_jwt', signedIn('process timeouts', RATE_LIMITS.financialOps))
  async timeOutOwn(@CurrentUser() user: Principal): Promise<TimeoutRefundsResponse> {
    try {
      const { generationId, refund } = await this.commands.execute(
        new TimeOutGeneration({ userId: user.userId, target: 'pending' }),
      );
      const done = { generation_id: generationId, success: true, refund_amount: refund.amount };
      return { success: true, processed_count: 1, refunds: [done] };
    } catch (error) {
      // There is no pending generation, it is not past the timeout, or it has just ended.
      if (isRefusal(error, 'notFound') || isRefusal(error, 'conflict')) {
        return { success: true, processed_count: 0, refunds: [] };
      }
      throw error;
    }
  }

  @Rpc('process_automatic_refund_by_jwt', signedIn('refund a generation', RATE_LIMITS.financialOps))
  async refund(@CurrentUser() user: Principal, @Body() request: GenerationById): Promise<RefundResponse> {
    if (!request.p_generation_id) throw new ApiError(400, MESSAGES.generationIdRequired);
    const generationId = parseGenerationId(request.p_generation_id);
    const refund = await this.commands.execute(new RefundFailedGeneration({ userId: user.userId, generationId }));
    return refundResponse(refund);
  }

  /** Returns the id of a test prediction that is not started yet; undefined for any other id. */
  private async newTestPrediction(predictionId: string): Promise<string | undefined> {
    if (!isTestPrediction(predictionId) || !this.providers.sandboxes.replicate) return undefined;
    return (await this.queries.execute(new IsPredictionKnown({ predictionId }))) ? undefined : predictionId;
  }

  /** The generation of a prediction that the caller started before. */
  private async startedEarlier(
    user: Principal,
    predictionId: string,
    aspectRatio: AspectRatio | null,
  ): Promise<StartGenerationResponse> {
    const target = { predictionId };
    const snapshot = await this.queries.execute(new GetGenerationSnapshot({ target, viewerId: user.userId }));
    if (!snapshot?.view.is_owner) throw new ApiError(404, MESSAGES.notFoundForPrediction(predictionId));
    return this.repeatAnswer(user, snapshot.view, aspectRatio);
  }

  /**
   * Repeats the answer of the first start.
   * @param aspectRatio of the repeat; null when it has none
   * @throws ApiError 409 when it is another one than that of the first start
   */
  private async repeatAnswer(
    { userId }: Principal,
    generation: StartedBeforeError['row'],
    aspectRatio: AspectRatio | null,
  ): Promise<StartGenerationResponse> {
    if (aspectRatio !== null && aspectRatio !== generation.aspect_ratio) {
      throw new ApiError(409, MESSAGES.otherAspectRatio);
    }
    const deduction = await this.queries.execute(new GetDeductionStatus({ userId, deductionId: generation.id }));
    return {
      success: true,
      generation_id: generation.id,
      prediction_id: generation.prediction_id,
      status: generation.status,
      ...newBalances(deduction.balances),
      credit_type_used: deduction.creditTypeUsed,
    };
  }
}

function isRefusal(error: unknown, kind: DomainError['kind']): boolean {
  return error instanceof DomainError && error.kind === kind;
}

/** @throws ApiError with the product's texts (fan spec, section 5) */
function parseGenerationId(text: string): string {
  if (isUuid(text)) return text;
  throw new ApiError(400, text.startsWith('user_') ? MESSAGES.clerkId : MESSAGES.invalidId);
}

function cancelTarget(request: GenerationToCancel): GenerationTarget {
  if (request.p_generation_id) return { generationId: parseGenerationId(request.p_generation_id) };
  if (request.p_prediction_id) return { predictionId: request.p_prediction_id };
  throw new ApiError(400, MESSAGES.idMissing);
}

function cancelResponse(cancelled: CancelledGeneration): CancelGenerationResponse {
  return {
    success: true,
    message: cancelled.isTest ? MESSAGES.testCancelled : MESSAGES.cancelled,
    status: 'canceled',
    generation_id: cancelled.generationId,
    prediction_id: cancelled.predictionId,
    credit_refunded: cancelled.refund.amount,
    refund_details: {
      new_balances: wireBalances(cancelled.refund.balances),
      original_credit_type: cancelled.refund.originalCreditType,
      refund_amount: cancelled.refund.amount,
    },
  };
}

function newBalances(balances: Balances) {
  return {
    new_daily_balance: balances.daily,
    new_bonus_balance: balances.bonus,
    new_paid_balance: balances.paid,
    new_total_balance: balances.total,
  };
}

function wireBalances(balances: Balances): WireBalances {
  return {
    daily_credits: balances.daily,
    bonus_credits: balances.bonus,
    paid_credits: balances.paid,
    total_balance: balances.total,
  };
}

function refundResponse(refund: RefundDeductionResult): RefundResponse {
  return {
    success: true,
    error: null,
    refund_amount: refund.amount,
    original_credit_type: refund.originalCreditType,
    new_balances: wireBalances(refund.balances),
    already_refunded: refund.alreadyRefunded,
  };
}
