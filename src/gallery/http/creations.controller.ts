import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsBoolean, IsIn, IsOptional, IsUUID } from 'class-validator';
import {
  DeleteGeneration,
  type DeleteGenerationResponse,
  GetGeneration,
  GetReportedImage,
  HideGeneration,
  type HideGenerationResponse,
  MESSAGES,
  type ReportResolution,
  ResolveReports,
  type ResolveReportResponse,
} from '../../generation/index.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/http/principal.js';
import { RATE_LIMITS } from '../../platform/http/rate-limits.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { GalleryTakeOut } from '../use-cases/take-out.js';

class CreationRequest {
  @IsUUID()
  p_generation_id!: string;
}

class HideRequest extends CreationRequest {
  /** Default true; false shows it again. */
  @IsOptional()
  @IsBoolean()
  p_hidden?: boolean;
}

class ResolveRequest {
  @IsUUID()
  p_report_id!: string;

  @IsIn(['dismissed', 'removed'])
  p_resolution!: ReportResolution;
}

const signedIn = (what: string) =>
  ({
    access: 'user',
    authenticationMessage: MESSAGES.authenticationRequired(what),
    limit: RATE_LIMITS.standardApi,
  }) as const;

/**
 * Takes images away from the public: their owners hide or delete them, admins remove what was reported. Each leaves the
 * gallery first, so that after a crash between the two asking again completes it.
 */
@Controller()
export class CreationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly gallery: GalleryTakeOut,
  ) {}

  @Rpc('hide_generation_by_jwt', signedIn('hide an image'))
  async hide(@CurrentUser() user: Principal, @Body() request: HideRequest): Promise<HideGenerationResponse> {
    const { p_generation_id: id, p_hidden: hidden = true } = request;
    if (hidden) await this.takeOutOwn(user, id);
    await this.commands.execute(new HideGeneration(user.userId, id, hidden));
    return { success: true, generation_id: id, hidden };
  }

  @Rpc('delete_generation_by_jwt', signedIn('delete an image'))
  async delete(@CurrentUser() user: Principal, @Body() request: CreationRequest): Promise<DeleteGenerationResponse> {
    const { p_generation_id: id } = request;
    await this.takeOutOwn(user, id);
    await this.commands.execute(new DeleteGeneration(id, user.userId));
    return { success: true, generation_id: id };
  }

  @Rpc('resolve_generation_report', { access: 'admin', freshRoles: true, limit: RATE_LIMITS.standardApi })
  async resolve(@CurrentUser() admin: Principal, @Body() request: ResolveRequest): Promise<ResolveReportResponse> {
    const reported = await this.queries.execute(new GetReportedImage(request.p_report_id));
    if (!reported) throw new ApiError(404, MESSAGES.reportNotFound);
    const { generationId, creatorId } = reported;
    if (request.p_resolution === 'removed') await this.gallery.takeOut(creatorId, generationId, admin.userId);
    const resolved = await this.commands.execute(new ResolveReports(generationId, request.p_resolution, admin.userId));
    return { success: true, resolved };
  }

  private async takeOutOwn(user: Principal, generationId: string): Promise<void> {
    const generation = await this.queries.execute(new GetGeneration(generationId));
    if (generation?.userId !== user.userId) throw new ApiError(404, MESSAGES.notFound);
    await this.gallery.takeOut(generation.creatorId, generationId, user.userId);
  }
}
