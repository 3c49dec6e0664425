import { IsBoolean, IsIn, IsUUID, Matches, NotContains } from 'class-validator';
import { type RpcRequest } from '../../contract/calls.js';
import { type PayoutEnd } from '../../contract/payouts.js';
import { DomainError } from '../../platform/domain-error.js';
import { IsText, IsWhole, Optional } from '../../contract/calls/fields.js';
import { type BodyOptions } from '../../platform/http/json-body.js';
import { parseInstant } from '../../platform/instant.js';
import { type PayoutPlace } from '../reads/creator-payouts.js';

/** Ids of creators and of payouts. */
export const CREATOR_ID = /^[\w-]{1,100}$/;
const NO_REASON = 'p_reason must say why, without naming a person';
const REASON_LENGTH = 500;
/** 20,000 lines of 150 characters. Characters. */
const FILE_LENGTH = 3_000_000;
/** Body of a file of the bank: line ends take two bytes, and a quoted field has quotation marks. */
export const FILE_BODY = { maxBodyBytes: 4 * 1024 * 1024 } as const satisfies BodyOptions;
const PLACE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,100}$/;

class PageRequest {
  @Optional(IsWhole(1, 200))
  p_limit?: number;
}

export class RunsRequest extends PageRequest implements RpcRequest<'list_payout_runs'> {
  @Optional(IsWhole(1, 2_147_483_647))
  p_before?: number;
}

export class RunRequest implements RpcRequest<'get_payout_run'> {
  @IsUUID()
  p_run_id!: string;
}

export class RunCreatorsRequest extends PageRequest implements RpcRequest<'list_payout_run_creators'> {
  @IsUUID()
  p_run_id!: string;

  @Optional(IsBoolean())
  p_skipped?: boolean;

  @Optional(Matches(CREATOR_ID, { message: 'p_after must be the id of a creator' }))
  p_after?: string;
}

export class CreatorPayoutsRequest extends PageRequest implements RpcRequest<'list_creator_payouts'> {
  @Matches(CREATOR_ID, { message: 'p_creator_id must be the id of a creator' })
  p_creator_id!: string;

  @Optional(Matches(PLACE, { message: 'p_before must be the value of `next`' }))
  p_before?: string;
}

export class PayoutStatementsRequest extends CreatorPayoutsRequest implements RpcRequest<'list_payout_statements'> {}

export class PayoutStatementRequest implements RpcRequest<'get_payout_statement'> {
  @Matches(CREATOR_ID, { message: 'p_payout_id must be the id of a payout' })
  p_payout_id!: string;
}

export class BankReportRequest extends PageRequest implements RpcRequest<'get_bank_report'> {
  @Matches(/^[0-9a-f]{64}$/, { message: 'p_report_id must be the id of a report' })
  p_report_id!: string;

  @Optional(IsWhole(0, 2_147_483_647))
  p_after?: number;
}

export class DraftRequest implements RpcRequest<'draft_payout_run'> {
  /** Chosen by the caller. The same id is the same run. */
  @IsUUID()
  p_run_id!: string;

  @Optional(IsText(40))
  p_cutoff?: string;
}

export class PayoutFileRequest implements RpcRequest<'make_payout_file'> {
  @IsUUID()
  p_run_id!: string;

  @IsWhole(1, 9_999)
  p_file!: number;
}

export class PayoutFilesRequest extends PageRequest implements RpcRequest<'list_payout_files'> {
  @IsUUID()
  p_run_id!: string;

  @Optional(IsWhole(1, 2_147_483_647))
  p_before?: number;
}

class ReasonRequest {
  /** Stored permanently: must not name a person. */
  @IsText(REASON_LENGTH)
  @Matches(/\S/, { message: NO_REASON })
  @NotContains('\u0000')
  p_reason!: string;
}

export class CancelRunRequest extends ReasonRequest implements RpcRequest<'cancel_payout_run'> {
  @IsUUID()
  p_run_id!: string;
}

export class TakeBackFileRequest extends ReasonRequest implements RpcRequest<'take_back_payout_file'> {
  @IsUUID()
  p_run_id!: string;

  @IsWhole(1, 9_999)
  p_file!: number;
}

export class EndPayoutRequest extends ReasonRequest implements RpcRequest<'end_payout'> {
  @Matches(CREATOR_ID, { message: 'p_payout_id must be the id of a payout' })
  p_payout_id!: string;

  @IsIn(['cancel', 'fail'])
  p_end!: PayoutEnd;
}

export class ReleaseRequest extends ReasonRequest implements RpcRequest<'release_payouts'> {
  @Matches(CREATOR_ID, { message: 'p_creator_id must be the id of a creator' })
  p_creator_id!: string;
}

export class HoldRequest extends ReleaseRequest implements RpcRequest<'hold_payouts'> {
  @IsText(40)
  p_until!: string;
}

export class TransfersRequest implements RpcRequest<'record_transfers'> {
  @IsText(FILE_LENGTH)
  p_file!: string;
}

/** The place that `next` of a page has named. @throws DomainError invalid */
export function placeOf(text: string): PayoutPlace {
  const [time = '', payoutId = ''] = text.split(' ');
  const draftedAt = parseInstant(time);
  if (!draftedAt) throw new DomainError('invalid', 'p_before must be the value of `next`');
  return { draftedAt, payoutId };
}
