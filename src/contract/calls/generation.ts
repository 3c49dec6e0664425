import { ArrayMaxSize, IsArray, IsIn, IsNumber, IsString, MaxLength, ValidateIf } from 'class-validator';
import { ASPECT_RATIOS, type AspectRatio } from '../aspect-ratios.js';
import {
  type CancelGenerationResponse,
  CREATION_FILTERS,
  type CreationFilter,
  type GenerationCredits,
  type GenerationImage,
  type GenerationStatusRow,
  type GenerationView,
  type PaginatedGeneration,
  type RefundResponse,
  type ReplicateApiResponse,
  REPORT_REASONS,
  type ReportGenerationResponse,
  type ReportReason,
  type StartGenerationResponse,
  type StartTestResponse,
  type SyncGenerationResponse,
  TEST_RATINGS,
  type TestGeneration,
  type TestRating,
  type TimeoutRefundsResponse,
  type TimeoutResponse,
} from '../generation.js';
import { TEST_NOTE_MAX_LENGTH } from '../limits.js';
import { type Count, type Instant, type NoParameters, type Success } from '../scalars.js';
import { IsId, IsText, Optional } from './fields.js';
import { GenerationByUuid, PageRequest } from './shared.js';

/** The longest accepted id; real ones are much shorter. */
const ID_LENGTH = 200;
/** Longest text of a field that is cut or ignored. */
const TEXT_LENGTH = 2_000;
/** An accepted note is cut to the product's limit before it is stored. */
const REPORT_NOTE_LENGTH = 5_000;
/** The most pictures of one call. */
const MAX_IMAGES = 100;

export class StartTestRequest {
  /** Any length; it is cut. */
  @IsString()
  p_prompt!: string;
}

export class RateTestRequest extends GenerationByUuid {
  /** Null takes the rating back. */
  @ValidateIf((request: RateTestRequest) => request.p_rating !== null)
  @IsIn(TEST_RATINGS)
  p_rating!: TestRating | null;

  /** Missing or null keeps the stored note; an empty one removes it. */
  @Optional(IsText(TEST_NOTE_MAX_LENGTH))
  p_note?: string | null;
}

export class StartGenerationRequest {
  /** Plain text of any length; cut to 1000 characters. A missing prompt is refused like an empty one. */
  @Optional(IsString())
  p_prompt?: string;

  @Optional(IsText(ID_LENGTH))
  p_creator_id?: string;

  /** A prediction that was started before. The answer is then that of its generation. */
  @Optional(IsText(ID_LENGTH))
  p_prediction_id?: string | null;

  /** Not used: the server chooses the model. */
  @Optional(IsText(ID_LENGTH))
  p_deployment_name?: string | null;

  /** Only compared with the server's price. */
  @Optional(IsNumber())
  p_credit_cost?: number | null;

  /** Default `square`. In a repeat: only compared with that of the generation. */
  @Optional(IsIn(ASPECT_RATIOS, { message: 'The aspect ratio must be square, portrait or landscape.' }))
  p_aspect_ratio?: AspectRatio | null;

  /** A UUID of the caller's choice. A repeated id is the same start. */
  @Optional(IsId())
  p_request_id?: string | null;
}

export class GenerationById {
  @Optional(IsText(ID_LENGTH))
  p_generation_id?: string | null;
}

export class GenerationByPrediction {
  @IsText(ID_LENGTH)
  p_prediction_id!: string;
}

export class OwnImagesRequest {
  /** At most 100 ids. */
  @IsArray()
  @ArrayMaxSize(MAX_IMAGES)
  @IsString({ each: true })
  @MaxLength(ID_LENGTH, { each: true })
  p_generation_ids!: readonly string[];
}

export class CreationsRequest extends PageRequest {
  /** Default `all`. */
  @Optional(IsIn(CREATION_FILTERS))
  p_show?: CreationFilter;
}

export class GenerationToCancel extends GenerationById {
  @Optional(IsText(ID_LENGTH))
  p_prediction_id?: string | null;

  /** Not used: the stored reason is always the user's cancel. */
  @Optional(IsText(TEXT_LENGTH))
  p_reason?: string | null;
}

export class TestPredictionToCancel extends GenerationByPrediction {
  /** Always null (fan spec, section 7). */
  @Optional(IsText(ID_LENGTH))
  p_generation_id?: string | null;

  /** The caller's identity; another identity cancels nothing. */
  @Optional(IsText(ID_LENGTH))
  p_clerk_id?: string | null;
}

export class ReportGenerationRequest extends GenerationByUuid {
  @IsIn(REPORT_REASONS)
  p_reason!: ReportReason;

  /** Cut to 500 characters. */
  @Optional(IsText(REPORT_NOTE_LENGTH))
  p_note?: string | null;
}

export class ReplicateApiRequest {
  @IsIn(['generate', 'status', 'cancel'])
  path!: 'generate' | 'status' | 'cancel';

  @Optional(IsString())
  prompt?: string;

  @Optional(IsText(ID_LENGTH))
  deploymentName?: string;

  @Optional(IsText(ID_LENGTH))
  modelVersion?: string;

  /** The id of the prediction. */
  @Optional(IsText(ID_LENGTH))
  id?: string;
}

export interface GenerationCalls {
  /** Starts a free test image with the caller's own model: 20 a UTC day, one at a time. */
  start_test_generation_by_jwt: { request: StartTestRequest; response: StartTestResponse };
  /** A page of the caller's test images, newest first. */
  get_own_test_generations_by_jwt: { request: PageRequest; response: TestGeneration[] };
  get_test_allowance_by_jwt: {
    request: NoParameters;
    response: { readonly used_today: Count; readonly limit: Count; readonly resets_at: Instant };
  };
  /** Rates a test image of the caller; null takes the rating back. The note has at most 500 characters. */
  rate_test_generation_by_jwt: { request: RateTestRequest; response: Success };
  /** Starts a paid generation. With the id of a known prediction or an earlier request: answers with its generation. */
  start_generation_by_jwt: { request: StartGenerationRequest; response: StartGenerationResponse };
  /** A generation: a completed one for anyone with the link, others for their owner and admins. */
  get_generation_by_id: { request: GenerationById; response: GenerationView };
  /** One row. */
  get_generation_by_prediction_id_jwt: { request: GenerationByPrediction; response: GenerationView[] };
  /** One row, or none. */
  get_generation_status_public: { request: GenerationByPrediction; response: GenerationStatusRow[] };
  /** Whether a generation of the caller is pending. */
  has_active_pending_generation_jwt: { request: NoParameters; response: boolean };
  /** The pictures of the caller's own generations, in no order; those without a picture are left out. */
  get_own_generation_images_by_jwt: { request: OwnImagesRequest; response: readonly GenerationImage[] };
  /** The credits that a finished generation of the caller used, and what they earned its creator. */
  get_own_generation_credits_by_jwt: { request: GenerationById; response: GenerationCredits };
  /** A page of the caller's generations, newest first. */
  get_user_generations_by_jwt_paginated: { request: CreationsRequest; response: PaginatedGeneration[] };
  /** Cancels a pending generation of the caller and refunds it. */
  cancel_generation_by_jwt: { request: GenerationToCancel; response: CancelGenerationResponse };
  /** Cancels a test prediction. Only while the image provider is a sandbox. */
  cancel_generation_securely: { request: TestPredictionToCancel; response: CancelGenerationResponse };
  /** Reads the state of a generation of the caller from the provider, and records it. */
  update_generation_status_by_jwt: { request: GenerationByPrediction; response: SyncGenerationResponse };
  /** Ends and refunds a generation that is past the timeout. */
  process_generation_timeout_immediate: { request: GenerationByPrediction; response: TimeoutResponse };
  /** Ends and refunds the caller's pending generation if it is past the timeout. */
  process_timeout_refunds_by_jwt: { request: NoParameters; response: TimeoutRefundsResponse };
  /** Refunds a failed generation, once. */
  process_automatic_refund_by_jwt: { request: GenerationById; response: RefundResponse };
  /** Reports an image to the admins. */
  report_generation: { request: ReportGenerationRequest; response: ReportGenerationResponse };
}

export interface GenerationFunctions {
  /** `generate` starts a paid generation of a square; `status` and `cancel` are for the owner of the prediction. */
  'replicate-api': { request: ReplicateApiRequest; response: ReplicateApiResponse };
}
