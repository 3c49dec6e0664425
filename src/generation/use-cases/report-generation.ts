import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { REPORT_NOTE_MAX_LENGTH } from '../../contract/limits.js';
import { ApiError } from '../../platform/http/api-error.js';
import { GenerationRows } from '../generation-rows.js';
import { MESSAGES } from '../messages.js';
import { sanitiseText } from '../sanitise-prompt.js';
import { mayView } from '../reads/view.js';
import { type ReportReason } from '../../contract/generation.js';
import { GenerationReports } from '../reads/generation-reports.js';

/**
 * Tells the admins that something is wrong with a finished image that the user can see; once a user and image.
 * @throws ApiError when there is no such image for them, or it is their own
 */
export class ReportGeneration extends Command<{ readonly alreadyReported: boolean }> {
  constructor(
    readonly userId: string,
    readonly generationId: string,
    readonly reason: ReportReason,
    /** Any text; it is sanitised and cut. */
    readonly note: string,
  ) {
    super();
  }
}

@CommandHandler(ReportGeneration)
export class ReportGenerationHandler implements ICommandHandler<ReportGeneration> {
  constructor(
    private readonly rows: GenerationRows,
    private readonly reports: GenerationReports,
  ) {}

  async execute({
    userId,
    generationId,
    reason,
    note,
  }: ReportGeneration): Promise<{ readonly alreadyReported: boolean }> {
    const row = await this.rows.find(generationId);
    if (!row || !mayView(row, { userId, isAdmin: false })) throw new ApiError(404, MESSAGES.notFound);
    if (row.user_id === userId) throw new ApiError(409, MESSAGES.reportOwn, { code: '55000' });
    const recorded = await this.reports.record({
      generationId: row.id,
      creatorId: row.creator_id,
      userId,
      reason,
      note: sanitiseText(note, REPORT_NOTE_MAX_LENGTH),
      prompt: row.prompt,
    });
    return { alreadyReported: !recorded };
  }
}
