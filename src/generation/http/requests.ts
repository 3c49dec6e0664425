import { ArrayMaxSize, IsArray, IsIn, IsNumber, IsOptional, IsString, MaxLength } from 'class-validator';
import { ASPECT_RATIOS, type AspectRatio } from '../../contract/aspect-ratios.js';
import { type RpcRequest } from '../../contract/calls.js';
import { CREATION_FILTERS, type CreationFilter } from '../../contract/generation.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { MESSAGES } from '../messages.js';

/** The longest accepted id; real ones are much shorter. */
const ID_LENGTH = 200;
const TEXT_LENGTH = 2_000;

export class CreationsRequest extends PageRequest implements RpcRequest<'get_user_generations_by_jwt_paginated'> {
  @IsOptional()
  @IsIn(CREATION_FILTERS)
  p_show?: CreationFilter;
}

export class StartGenerationRequest implements RpcRequest<'start_generation_by_jwt'> {
  /** Any length; it is cut. A missing prompt is refused like an empty one, with the product's text. */
  @IsOptional()
  @IsString()
  p_prompt?: string;

  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_creator_id?: string;

  /** Prediction id of an earlier start. The answer is then that of its generation. */
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_prediction_id?: string | null;

  /** Ignored: the server chooses the model. */
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_deployment_name?: string | null;

  /** Any other price than the server's is refused. */
  @IsOptional()
  @IsNumber()
  p_credit_cost?: number | null;

  @IsOptional()
  @IsIn(ASPECT_RATIOS, { message: MESSAGES.unknownAspectRatio })
  p_aspect_ratio?: AspectRatio | null;
}

export class GenerationByIdRequest implements RpcRequest<'get_generation_by_id'> {
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_generation_id?: string | null;
}

/** The most pictures of one call. */
const MAX_IMAGES = 100;

export class OwnImagesRequest implements RpcRequest<'get_own_generation_images_by_jwt'> {
  @IsArray()
  @ArrayMaxSize(MAX_IMAGES)
  @IsString({ each: true })
  @MaxLength(ID_LENGTH, { each: true })
  p_generation_ids!: readonly string[];
}

export class GenerationByPredictionRequest implements RpcRequest<'update_generation_status_by_jwt'> {
  @IsString()
  @MaxLength(ID_LENGTH)
  p_prediction_id!: string;
}

export class CancelGenerationRequest extends GenerationByIdRequest implements RpcRequest<'cancel_generation_by_jwt'> {
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_prediction_id?: string | null;

  /** Ignored: the stored reason is always that the user cancelled. */
  @IsOptional()
  @IsString()
  @MaxLength(TEXT_LENGTH)
  p_reason?: string | null;
}

/** `cancel_generation_securely`, for test predictions. */
export class SecureCancelRequest implements RpcRequest<'cancel_generation_securely'> {
  @IsString()
  @MaxLength(ID_LENGTH)
  p_prediction_id!: string;

  /** Always null (fan spec, section 7). */
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_generation_id?: string | null;

  /** The caller's identity; another identity cancels nothing. */
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  p_clerk_id?: string | null;
}
