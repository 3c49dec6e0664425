import { IsInt, IsNotEmpty, IsNumber, IsOptional, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { type FunctionRequest, type RpcRequest } from '../../contract/calls.js';

/** The longest accepted id; real ones are much shorter. */
const ID_LENGTH = 200;
const URL_LENGTH = 500;
const REASON_LENGTH = 500;

export class CreateCheckoutRequest implements Partial<FunctionRequest<'create-checkout-session'>> {
  /** Ignored: the e-mail address of the mirrored user is used. */
  @IsOptional()
  @IsString()
  @MaxLength(320)
  userEmail?: string;

  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  bundleId?: string;

  @IsOptional()
  @IsNumber()
  bundleCredits?: number;

  /** US dollars. */
  @IsOptional()
  @IsNumber()
  bundlePrice?: number;

  @IsString()
  @MaxLength(URL_LENGTH)
  successUrl!: string;

  @IsString()
  @MaxLength(URL_LENGTH)
  cancelUrl!: string;
}

export class LookUpCheckoutRequest implements FunctionRequest<'get-checkout-session'> {
  @IsOptional()
  @IsString()
  @MaxLength(ID_LENGTH)
  sessionId?: string | null;
}

export class DismissProblemRequest implements RpcRequest<'dismiss_payment_problem'> {
  @IsString()
  @IsNotEmpty()
  @MaxLength(ID_LENGTH)
  p_subject!: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(40)
  p_kind!: string;

  /** Stored permanently, so it must not mention a person. */
  @IsString()
  @IsNotEmpty()
  @MaxLength(REASON_LENGTH)
  p_reason!: string;
}

export class RefundPurchaseRequest implements RpcRequest<'refund_purchase'> {
  @IsString()
  @IsNotEmpty()
  @MaxLength(ID_LENGTH)
  p_session_id!: string;

  /** Absent: all unspent credits. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  p_credits?: number | null;

  /** Stored permanently, so it must not mention a person. */
  @IsString()
  @IsNotEmpty()
  @MaxLength(REASON_LENGTH)
  p_reason!: string;

  /** Repeating an id returns the same refund. */
  @IsOptional()
  @IsUUID()
  p_request_id?: string | null;
}
