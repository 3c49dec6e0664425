import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
  NotContains,
} from 'class-validator';
import { type RpcRequest, type RpcResponse } from '../../contract/calls.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import {
  type CaseDecided,
  type CaseDecision,
  type CaseKind,
  type CaseReason,
  GOODWILL_MAX_CREDITS,
  type ModerationCase,
  type ModerationCaseRow,
} from '../../contract/moderation.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { PageRequest } from '../../contract/calls/shared.js';
import { Rpc } from '../../platform/http/routes.js';
import { GetModerationCase } from '../reads/get-moderation-case.js';
import { ListModerationCases } from '../reads/list-moderation-cases.js';
import { DecideModerationCase } from '../use-cases/decide-moderation-case.js';
import { UndoModerationAct } from '../use-cases/undo-moderation-act.js';

/** Longest text of a field in a request; a note is cut to `DECISION_NOTE_MAX_LENGTH`. */
const TEXT_MAX_LENGTH = 5_000;
const MOST_SUSPEND_DAYS = 365;

const KINDS: readonly CaseKind[] = ['report', 'take_down', 'refusal'];
const DECISIONS: readonly CaseDecision[] = ['keep', 'hide', 'take_down'];
const REASONS: readonly CaseReason[] = [
  ...(['sexual', 'minors', 'real_person', 'hate', 'self_harm', 'rights', 'other'] as const),
  ...(['creator_request', 'real_people'] as const),
];

class CasesRequest extends PageRequest implements RpcRequest<'list_moderation_cases'> {
  /** Default false: the open cases. */
  @IsOptional()
  @IsBoolean()
  p_decided?: boolean;

  @IsOptional()
  @IsIn(KINDS)
  p_kind?: CaseKind | null;

  @IsOptional()
  @IsIn(REASONS)
  p_reason?: CaseReason | null;

  @IsOptional()
  @IsUUID()
  p_creator_id?: string | null;
}

class CaseRequest implements RpcRequest<'get_moderation_case'> {
  @IsIn(KINDS)
  p_kind!: CaseKind;

  @IsUUID()
  p_id!: string;
}

class DecideRequest extends CaseRequest implements RpcRequest<'decide_moderation_case'> {
  @IsIn(DECISIONS)
  p_decision!: CaseDecision;

  /** The owner of the image reads it. */
  @IsOptional()
  @IsString()
  @MaxLength(TEXT_MAX_LENGTH)
  @NotContains('\u0000')
  p_note?: string | null;

  @IsOptional()
  @IsBoolean()
  p_block_prompt?: boolean;

  @IsOptional()
  @IsBoolean()
  p_strike?: boolean | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_SUSPEND_DAYS)
  p_suspend_days?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(GOODWILL_MAX_CREDITS)
  p_goodwill_credits?: number | null;
}

class UndoRequest implements RpcRequest<'undo_moderation_act'> {
  @IsUUID()
  p_act_id!: string;
}

const READ = { access: 'admin', limit: RATE_LIMITS.adminData } as const;
const WRITE = { access: 'admin', freshRoles: true, limit: RATE_LIMITS.adminActs } as const;

/** A goodwill grant moves credits. */
const grants = (body: unknown): boolean => {
  const credits = (body as { p_goodwill_credits?: unknown } | null)?.p_goodwill_credits;
  return credits !== undefined && credits !== null;
};

/** The admins' queue of reports, take-down requests and refusals. */
@Controller()
export class CasesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('list_moderation_cases', READ)
  async list(@Body() request: CasesRequest): Promise<ModerationCaseRow[]> {
    const { p_decided: decided = false, p_kind, p_reason, p_creator_id, p_limit, p_offset } = request;
    const filter = { kind: p_kind ?? null, reason: p_reason ?? null, creatorId: p_creator_id ?? null };
    const page = { limit: p_limit ?? PAGE_SIZES.moderation, offset: p_offset ?? 0 };
    return this.queries.execute(new ListModerationCases({ decided, ...filter, ...page }));
  }

  @Rpc('get_moderation_case', READ)
  async get(@Body() { p_kind: kind, p_id: id }: CaseRequest): Promise<ModerationCase> {
    return this.queries.execute(new GetModerationCase({ kind, id }));
  }

  @Rpc('decide_moderation_case', { ...WRITE, reverified: grants })
  async decide(@Acting() actor: Actor, @Body() request: DecideRequest): Promise<CaseDecided> {
    return this.commands.execute(
      new DecideModerationCase({
        actor,
        kind: request.p_kind,
        id: request.p_id,
        decision: request.p_decision,
        note: request.p_note ?? '',
        blockPrompt: request.p_block_prompt ?? false,
        strike: request.p_strike ?? null,
        suspendDays: request.p_suspend_days ?? null,
        goodwillCredits: request.p_goodwill_credits ?? null,
      }),
    );
  }

  @Rpc('undo_moderation_act', WRITE)
  async undo(@Acting() actor: Actor, @Body() request: UndoRequest): Promise<RpcResponse<'undo_moderation_act'>> {
    await this.commands.execute(new UndoModerationAct({ actor, actId: request.p_act_id }));
    return { success: true };
  }
}
