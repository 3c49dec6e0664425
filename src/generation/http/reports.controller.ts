import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { type RpcRequest } from '../../contract/calls.js';
import { type ReportGenerationResponse, type ReportReason } from '../../contract/generation.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { MESSAGES } from '../messages.js';
import { ReportGeneration } from '../use-cases/report-generation.js';

const REASONS: readonly ReportReason[] = ['sexual', 'minors', 'real_person', 'hate', 'self_harm', 'rights', 'other'];

/** Maximum length of a note in a request. An accepted note is cut to the product's limit before it is stored. */
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

/** Users report images. The moderation context has the queue of admins. */
@Controller()
export class ReportsController {
  constructor(private readonly commands: CommandBus) {}

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
      new ReportGeneration({
        userId: user.userId,
        generationId: request.p_generation_id,
        reason: request.p_reason,
        note: request.p_note ?? '',
      }),
    );
    return { success: true, already_reported: alreadyReported };
  }
}
