import { Command, CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type ReportResolution } from '../../contract/generation.js';
import { GetReportedImage, MESSAGES, ResolveReports } from '../../generation/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { TakeOutOfGallery } from './take-out-of-gallery.js';

/**
 * An admin's decision on a reported image. It resolves all open reports of that image; `removed` also takes it out of
 * the gallery and deletes it. Returns the number of resolved reports.
 * @throws DomainError notFound for an unknown report
 */
export class DecideReport extends Command<number> {
  constructor(
    readonly input: { readonly adminId: string; readonly reportId: string; readonly resolution: ReportResolution },
  ) {
    super();
  }
}

@CommandHandler(DecideReport)
export class DecideReportHandler implements ICommandHandler<DecideReport> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { adminId, reportId, resolution } }: DecideReport): Promise<number> {
    const reported = await this.queries.execute(new GetReportedImage({ reportId }));
    if (!reported) throw new DomainError('notFound', MESSAGES.reportNotFound);
    const { generationId, creatorId } = reported;
    if (resolution === 'removed') {
      // First: after a crash between the two steps, the same decision completes the work.
      await this.commands.execute(new TakeOutOfGallery({ creatorId, generationId, actorId: adminId }));
    }
    return this.commands.execute(new ResolveReports({ adminId, generationId, resolution }));
  }
}
