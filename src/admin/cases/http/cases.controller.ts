import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CaseReference, CasesRequest, DecideCaseRequest, UndoActRequest } from '../../../contract/calls/moderation.js';
import { PAGE_SIZES } from '../../../contract/limits.js';
import { type CaseDecided, type ModerationCase, type ModerationCaseRow } from '../../../contract/moderation.js';
import { type Success } from '../../../contract/scalars.js';
import { Acting, type Actor } from '../../../platform/acts/actor.js';
import { ADMIN_ACT, ADMIN_READ, Rpc } from '../../../platform/http/routes.js';
import { GetModerationCase } from '../reads/get-moderation-case.js';
import { ListModerationCases } from '../reads/list-moderation-cases.js';
import { DecideModerationCase } from '../use-cases/decide-moderation-case.js';
import { UndoModerationAct } from '../use-cases/undo-moderation-act.js';

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

  @Rpc('list_moderation_cases', ADMIN_READ)
  async list(@Body() request: CasesRequest): Promise<ModerationCaseRow[]> {
    const { p_decided: decided = false, p_kind, p_reason, p_creator_id, p_limit, p_offset } = request;
    const filter = { kind: p_kind ?? null, reason: p_reason ?? null, creatorId: p_creator_id ?? null };
    const page = { limit: p_limit ?? PAGE_SIZES.moderation, offset: p_offset ?? 0 };
    return this.queries.execute(new ListModerationCases({ decided, ...filter, ...page }));
  }

  @Rpc('get_moderation_case', ADMIN_READ)
  async get(@Body() { p_kind: kind, p_id: id }: CaseReference): Promise<ModerationCase> {
    return this.queries.execute(new GetModerationCase({ kind, id }));
  }

  @Rpc('decide_moderation_case', { ...ADMIN_ACT, reverified: grants })
  async decide(@Acting() actor: Actor, @Body() request: DecideCaseRequest): Promise<CaseDecided> {
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

  @Rpc('undo_moderation_act', ADMIN_ACT)
  async undo(@Acting() actor: Actor, @Body() request: UndoActRequest): Promise<Success> {
    await this.commands.execute(new UndoModerationAct({ actor, actId: request.p_act_id }));
    return { success: true };
  }
}
