import { Body, Controller, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { VerificationRunsRequest } from '../../contract/calls/audit.js';
import { type VerificationRun, type VerificationRunsPage } from '../../contract/audit.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { ListVerificationRuns } from '../reads/ledger-verification.js';
import { RequestVerification } from '../use-cases/request-verification.js';

/** Full verifications that auditors request. They change nothing in the ledger. */
@Controller()
export class VerificationRunsController {
  private readonly logger = new Logger(VerificationRunsController.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('request_ledger_verification', { access: 'auditor', limit: RATE_LIMITS.ledgerVerification })
  async request(@CurrentUser() { userId: auditor }: Principal): Promise<VerificationRun> {
    const run = await this.commands.execute(new RequestVerification(auditor));
    this.logger.log({ message: 'An auditor asks for a full verification.', auditor, run: run.id });
    return run;
  }

  @Rpc('list_verification_runs', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async list(@Body() { p_after, p_limit }: VerificationRunsRequest): Promise<VerificationRunsPage> {
    const limit = p_limit ?? PAGE_SIZES.verificationRuns;
    return this.queries.execute(new ListVerificationRuns({ after: p_after ?? null, limit }));
  }
}
