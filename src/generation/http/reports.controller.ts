import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { PAGE_SIZES } from '../../contract/limits.js';
import { type RpcRequest } from '../../contract/calls.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { PageRequest } from '../../platform/http/page-request.js';
import { type Principal } from '../../platform/http/principal.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { MESSAGES } from '../messages.js';
import { type GenerationReport, type ReportGenerationResponse, type ReportReason } from '../../contract/generation.js';
import { GenerationReports } from '../reads/generation-reports.js';
import { ReportGeneration } from '../use-cases/report-generation.js';

const REASONS: readonly ReportReason[] = ['sexual', 'minors', 'real_person', 'hate', 'self_harm', 'rights', 'other'];

/** More than this is no note; a shorter one is cut to the limit of the product. */
const NOTE_MAX_LENGTH = 5_000;

class ReportGenerationRequest implements RpcRequest<'report_generation'> {
  @IsUUID()
  p_generation_id!: string;

  @IsIn(REASONS)
  p_reason!: ReportReason;

  @IsOptional()
  @IsString()
  @MaxLength(NOTE_MAX_LENGTH)
  p_note?: string | null;
}

class ReportsRequest extends PageRequest implements RpcRequest<'get_generation_reports'> {
  /** Default false: those that wait for an answer. */
  @IsOptional()
  @IsBoolean()
  p_resolved?: boolean;
}

/** Reports of images: made by users, read by admins. Resolving one can touch the gallery and is there. */
@Controller()
export class ReportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reports: GenerationReports,
  ) {}

  @Rpc('report_generation', {
    access: 'user',
    authenticationMessage: MESSAGES.authenticationRequired('report an image'),
    limit: RATE_LIMITS.reports,
  })
  async report(
    @CurrentUser() user: Principal,
    @Body() request: ReportGenerationRequest,
  ): Promise<ReportGenerationResponse> {
    const { alreadyReported } = await this.commands.execute(
      new ReportGeneration(user.userId, request.p_generation_id, request.p_reason, request.p_note ?? ''),
    );
    return { success: true, already_reported: alreadyReported };
  }

  @Rpc('get_generation_reports', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async page(@Body() request: ReportsRequest): Promise<GenerationReport[]> {
    return this.reports.page(
      request.p_resolved ?? false,
      request.p_limit ?? PAGE_SIZES.moderation,
      request.p_offset ?? 0,
    );
  }
}
