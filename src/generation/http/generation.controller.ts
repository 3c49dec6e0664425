import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { PAGE_SIZES } from '../../contract/limits.js';
import { GENERATION_COST } from '../../contract/prices.js';
import { RATE_LIMITS, type RateLimit } from '../../contract/rate-limits.js';
import { type Balances, GetDeductionStatus, type RefundDeductionResult } from '../../credits/index.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { type Principal } from '../../platform/http/principal.js';
import { CurrentUser, OptionalUser, Rpc } from '../../platform/http/routes.js';
import { isUuid } from '../../platform/ids.js';
import { PROVIDER_SETTINGS, type ProviderSettings } from '../../platform/config/provider-settings.js';
import { CancelGeneration, type CancelledGeneration } from '../use-cases/cancel-generation.js';
import { GenerationReader } from '../reads/generation-reader.js';
import { MESSAGES } from '../messages.js';
import { RefundFailedGeneration } from '../use-cases/refund-failed-generation.js';
import {
  CancelGenerationRequest,
  GenerationByIdRequest,
  GenerationByPredictionRequest,
  SecureCancelRequest,
  StartGenerationRequest,
} from './requests.js';
import { StartGeneration } from '../use-cases/start-generation.js';
import { SyncGeneration } from '../use-cases/sync-generation.js';
import { isTestPrediction } from '../providers/test-predictions.js';
import { TimeOutGeneration } from '../use-cases/time-out-generation.js';
import {
  type CancelGenerationResponse,
  type GenerationStatusRow,
  type GenerationView,
  type PaginatedGeneration,
  type RefundResponse,
  type StartGenerationResponse,
  type SyncGenerationResponse,
  type TimeoutRefundsResponse,
  type WireBalances,
  type TimeoutResponse,
} from '../../contract/generation.js';

const signedIn = (what: string) =>
  ({ access: 'user', authenticationMessage: MESSAGES.authenticationRequired(what) }) as const;

/** Asking again about a generation that was started before costs and draws nothing. */
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
    private readonly reader: GenerationReader,
    @Inject(PROVIDER_SETTINGS) private readonly providers: ProviderSettings,
  ) {}

  @Rpc('start_generation_by_jwt', { ...signedIn('generate images'), limit: startLimit })
  async start(
    @CurrentUser() user: Principal,
    @Body() request: StartGenerationRequest,
  ): Promise<StartGenerationResponse> {
    const testPredictionId = await this.newTestPrediction(request.p_prediction_id ?? '');
    if (request.p_prediction_id && testPredictionId === undefined) {
      return this.startedEarlier(user, request.p_prediction_id);
    }
    if (request.p_credit_cost != null && request.p_credit_cost !== GENERATION_COST) {
      throw new ApiError(422, MESSAGES.costMismatch, { code: '22023' });
    }
    const started = await this.commands.execute(
      new StartGeneration(user.userId, request.p_prompt ?? '', request.p_creator_id ?? '', testPredictionId),
    );
    return {
      success: true,
      generation_id: started.generationId,
      prediction_id: started.predictionId,
      status: 'pending',
      ...newBalances(started.balances),
      credit_type_used: started.creditTypeUsed,
    };
  }

  @Rpc('get_generation_by_id', { access: 'public', limit: RATE_LIMITS.statusCheck })
  async byId(@OptionalUser() user: Principal | null, @Body() request: GenerationByIdRequest): Promise<GenerationView> {
    if (!request.p_generation_id) throw new ApiError(400, MESSAGES.generationIdRequired);
    const snapshot = await this.reader.snapshot(generationId(request.p_generation_id), user);
    if (!snapshot) throw new ApiError(404, MESSAGES.notFound);
    return snapshot.view;
  }

  @Rpc('get_generation_by_prediction_id_jwt', { ...signedIn('access full data'), limit: RATE_LIMITS.statusCheck })
  async byPrediction(
    @CurrentUser() user: Principal,
    @Body() request: GenerationByPredictionRequest,
  ): Promise<GenerationView[]> {
    const snapshot = await this.reader.snapshotByPrediction(request.p_prediction_id, user);
    if (!snapshot) throw new ApiError(404, MESSAGES.notFoundForPrediction(request.p_prediction_id));
    return [snapshot.view];
  }

  @Rpc('get_generation_status_public', { access: 'public', limit: RATE_LIMITS.statusCheck })
  async status(
    @OptionalUser() user: Principal | null,
    @Body() request: GenerationByPredictionRequest,
  ): Promise<GenerationStatusRow[]> {
    return this.reader.statusByPrediction(request.p_prediction_id, user);
  }

  @Rpc('has_active_pending_generation_jwt', { ...signedIn('check pending generations'), limit: RATE_LIMITS.dataFetch })
  async hasPending(@CurrentUser() user: Principal): Promise<boolean> {
    return (await this.reader.pendingOf(user.userId)) !== undefined;
  }

  @Rpc('get_user_generations_by_jwt_paginated', { ...signedIn('fetch user generations'), limit: RATE_LIMITS.dataFetch })
  async ofUser(@CurrentUser() user: Principal, @Body() request: PageRequest): Promise<PaginatedGeneration[]> {
    return this.reader.pageOfUser(user.userId, request.p_limit ?? PAGE_SIZES.generations, request.p_offset ?? 0);
  }

  @Rpc('cancel_generation_by_jwt', { ...signedIn('cancel generation'), limit: RATE_LIMITS.cancelOperations })
  async cancel(
    @CurrentUser() user: Principal,
    @Body() request: CancelGenerationRequest,
  ): Promise<CancelGenerationResponse> {
    return cancelResponse(await this.commands.execute(new CancelGeneration(user.userId, cancelTarget(request))));
  }

  @Rpc('cancel_generation_securely', { ...signedIn('cancel generation'), limit: RATE_LIMITS.cancelOperations })
  async cancelTest(
    @CurrentUser() user: Principal,
    @Body() request: SecureCancelRequest,
  ): Promise<CancelGenerationResponse> {
    const predictionId = request.p_prediction_id;
    const isOwn = (request.p_clerk_id ?? user.userId) === user.userId;
    if (!this.providers.sandboxes.replicate || !isTestPrediction(predictionId) || !isOwn) {
      throw new ApiError(404, MESSAGES.testCancelFailed);
    }
    try {
      return cancelResponse(await this.commands.execute(new CancelGeneration(user.userId, { predictionId })));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw new ApiError(404, MESSAGES.testCancelFailed);
      throw error;
    }
  }

  @Rpc('update_generation_status_by_jwt', { ...signedIn('update status'), limit: RATE_LIMITS.standardApi })
  async sync(
    @CurrentUser() user: Principal,
    @Body() request: GenerationByPredictionRequest,
  ): Promise<SyncGenerationResponse> {
    const row = await this.commands.execute(new SyncGeneration(user.userId, request.p_prediction_id));
    return {
      success: true,
      generation_id: row.id,
      prediction_id: row.prediction_id,
      status: row.status,
      error_message: row.error_message,
      image_url: row.image?.url ?? null,
    };
  }

  @Rpc('process_generation_timeout_immediate', { ...signedIn('process a timeout'), limit: RATE_LIMITS.financialOps })
  async timeOut(
    @CurrentUser() user: Principal,
    @Body() request: GenerationByPredictionRequest,
  ): Promise<TimeoutResponse> {
    const { generationId: id, refund } = await this.commands.execute(
      new TimeOutGeneration(user.userId, { predictionId: request.p_prediction_id }),
    );
    return { ...refundResponse(refund), message: MESSAGES.timedOut, generation_id: id };
  }

  @Rpc('process_timeout_refunds_by_jwt', { ...signedIn('process timeouts'), limit: RATE_LIMITS.financialOps })
  async timeOutOwn(@CurrentUser() user: Principal): Promise<TimeoutRefundsResponse> {
    try {
      const { generationId: id, refund } = await this.commands.execute(new TimeOutGeneration(user.userId, 'pending'));
      const done = { generation_id: id, success: true, refund_amount: refund.amount };
      return { success: true, processed_count: 1, refunds: [done] };
    } catch (error) {
      // None, not past the timeout, or ended while we looked.
      if (error instanceof ApiError && (error.status === 404 || error.status === 409))
        return { success: true, processed_count: 0, refunds: [] };
      throw error;
    }
  }

  @Rpc('process_automatic_refund_by_jwt', { ...signedIn('refund a generation'), limit: RATE_LIMITS.financialOps })
  async refund(@CurrentUser() user: Principal, @Body() request: GenerationByIdRequest): Promise<RefundResponse> {
    if (!request.p_generation_id) throw new ApiError(400, MESSAGES.generationIdRequired);
    const id = generationId(request.p_generation_id);
    return refundResponse(await this.commands.execute(new RefundFailedGeneration(user.userId, id)));
  }

  /** The id to start a test generation with; undefined when it is none, or was started before. */
  private async newTestPrediction(predictionId: string): Promise<string | undefined> {
    if (!isTestPrediction(predictionId) || !this.providers.sandboxes.replicate) return undefined;
    return (await this.reader.isPredictionKnown(predictionId)) ? undefined : predictionId;
  }

  /** The same answer as when it was started. */
  private async startedEarlier(user: Principal, predictionId: string): Promise<StartGenerationResponse> {
    const snapshot = await this.reader.snapshotByPrediction(predictionId, user);
    if (!snapshot?.view.is_owner) throw new ApiError(404, MESSAGES.notFoundForPrediction(predictionId));
    const deduction = await this.queries.execute(
      new GetDeductionStatus({ userId: user.userId, deductionId: snapshot.view.id }),
    );
    return {
      success: true,
      generation_id: snapshot.view.id,
      prediction_id: predictionId,
      status: snapshot.view.status,
      ...newBalances(deduction.balances),
      credit_type_used: deduction.creditTypeUsed,
    };
  }
}

/** @throws ApiError with the product's texts (fan spec, section 5) */
function generationId(text: string): string {
  if (isUuid(text)) return text;
  throw new ApiError(400, text.startsWith('user_') ? MESSAGES.clerkId : MESSAGES.invalidId);
}

function cancelTarget(request: CancelGenerationRequest): CancelGeneration['target'] {
  if (request.p_generation_id) return { generationId: generationId(request.p_generation_id) };
  if (request.p_prediction_id) return { predictionId: request.p_prediction_id };
  throw new ApiError(400, MESSAGES.idMissing);
}

function cancelResponse(cancelled: CancelledGeneration): CancelGenerationResponse {
  return {
    success: true,
    message: MESSAGES.cancelled,
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
