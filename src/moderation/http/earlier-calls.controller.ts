import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { type RpcRequest } from '../../contract/calls.js';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { type TakeDownRequest } from '../../contract/gallery.js';
import { type ReportResolution, type ResolveReportResponse } from '../../contract/generation.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { GetCreator } from '../../creators/index.js';
import {
  CaseDecidedError,
  GetReportedImage,
  GetTakeDown,
  ListTakeDowns,
  MESSAGES,
  toTakeDownRequest,
} from '../../generation/index.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../platform/domain-error.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { Rpc } from '../../platform/http/routes.js';
import { DecideModerationCase } from '../use-cases/decide-moderation-case.js';

const TEXT_MAX_LENGTH = 5_000;

/** Notes for the owner when the caller of an earlier call gives none. */
const NOTES = {
  report: 'Other people reported it, and it broke the Community Guidelines.',
  takeDown: 'Its creator asked us to take it down.',
};

class ResolveRequest implements RpcRequest<'resolve_generation_report'> {
  @IsUUID()
  p_report_id!: string;

  @IsIn(['dismissed', 'removed'])
  p_resolution!: ReportResolution;
}

class TakeDownsRequest extends PageRequest implements RpcRequest<'get_take_down_requests'> {
  /** Default false: the open requests. */
  @IsOptional()
  @IsBoolean()
  p_resolved?: boolean;
}

class ResolveTakeDownRequest implements RpcRequest<'resolve_take_down_request'> {
  @IsUUID()
  p_request_id!: string;

  @IsIn(['removed', 'kept'])
  p_decision!: 'removed' | 'kept';

  @IsOptional()
  @IsString()
  @MaxLength(TEXT_MAX_LENGTH)
  p_note?: string;
}

const WRITE = { access: 'admin', freshRoles: true, limit: RATE_LIMITS.adminActs } as const;

/** Calls from before the queue of cases. They take the same decisions; `removed` takes the image down. */
@Controller()
export class EarlierCallsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  @Rpc('resolve_generation_report', WRITE)
  async resolveReport(@Acting() actor: Actor, @Body() request: ResolveRequest): Promise<ResolveReportResponse> {
    const { p_report_id: reportId, p_resolution: resolution } = request;
    const reported = await this.queries.execute(new GetReportedImage({ reportId }));
    if (!reported) throw new DomainError('notFound', MESSAGES.reportNotFound);
    const decision = resolution === 'removed' ? 'take_down' : 'keep';
    const note = resolution === 'removed' ? NOTES.report : '';
    const decide = new DecideModerationCase({ actor, kind: 'report', id: reported.generationId, decision, note });
    const decided = await this.commands.execute(decide).catch(unlessDecided);
    return { success: true, resolved: decided?.reports ?? 0 };
  }

  @Rpc('get_take_down_requests', { access: 'admin', limit: RATE_LIMITS.adminData })
  async takeDowns(@Body() request: TakeDownsRequest): Promise<TakeDownRequest[]> {
    const { p_resolved: resolved = false, p_limit: limit = PAGE_SIZES.moderation, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListTakeDowns({ resolved, limit, offset }));
  }

  @Rpc('resolve_take_down_request', WRITE)
  async resolveTakeDown(@Acting() actor: Actor, @Body() request: ResolveTakeDownRequest): Promise<TakeDownRequest> {
    const { p_request_id: id, p_decision: asked, p_note: note = '' } = request;
    const found = await this.find(id);
    if (!found) throw new DomainError('notFound', CONTROL_MESSAGES.takeDownNotFound);
    if (found.decision === 'taken_back') throw takeDownDecided();
    const decision = asked === 'removed' ? 'take_down' : 'keep';
    const words = note.trim() === '' && asked === 'removed' ? NOTES.takeDown : note;
    const decide = new DecideModerationCase({ actor, kind: 'take_down', id, decision, note: words });
    await this.commands.execute(decide).catch(unlessDecided);
    const decided = await this.find(id);
    if (decided?.decision !== asked) throw takeDownDecided();
    const creator = await this.queries.execute(new GetCreator({ creatorId: decided.creator_id }));
    return toTakeDownRequest(decided, creator?.name, this.clock.now());
  }

  private async find(requestId: string) {
    return this.queries.execute(new GetTakeDown({ requestId }));
  }
}

function takeDownDecided(): DomainError {
  return new DomainError('conflict', CONTROL_MESSAGES.takeDownDecided, { code: '55000' });
}

/** An earlier decision is no failure of these calls. */
function unlessDecided(error: unknown): null {
  if (error instanceof DomainError && error.cause instanceof CaseDecidedError) return null;
  throw error;
}
