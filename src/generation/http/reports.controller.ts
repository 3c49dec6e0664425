import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReportGenerationRequest } from '../../contract/calls/generation.js';
import { type ReportGenerationResponse } from '../../contract/generation.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { ReportGeneration } from '../use-cases/report-generation.js';

/** Users report images. The moderation context has the queue of admins. */
@Controller()
export class ReportsController {
  constructor(private readonly commands: CommandBus) {}

  @Rpc('report_generation', signedIn('report an image', RATE_LIMITS.reports))
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
