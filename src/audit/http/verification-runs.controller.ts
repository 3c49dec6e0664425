import { Body, Controller, Inject, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { VerificationRunsRequest } from '../../contract/calls/audit.js';
import { type VerificationRun, type VerificationRunsPage } from '../../contract/audit.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { PG_POOL } from '../../platform/database/database.js';
import { CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { RequestVerification } from '../runs/request-verification.js';
import { runsBefore, type StoredRun } from '../runs/verification-runs.js';

/** Full verifications that auditors request. They change nothing in the ledger. */
@Controller()
export class VerificationRunsController {
  private readonly logger = new Logger(VerificationRunsController.name);

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @Rpc('request_ledger_verification', { access: 'auditor', limit: RATE_LIMITS.ledgerVerification })
  async request(@CurrentUser() { userId: auditor }: Principal): Promise<VerificationRun> {
    const run = await this.commands.execute(new RequestVerification(auditor));
    this.logger.log({ message: 'An auditor asks for a full verification.', auditor, run: run.id });
    return toWireRun(run);
  }

  @Rpc('list_verification_runs', { access: 'auditor', limit: RATE_LIMITS.auditExport })
  async list(@Body() { p_after, p_limit }: VerificationRunsRequest): Promise<VerificationRunsPage> {
    const limit = p_limit ?? PAGE_SIZES.verificationRuns;
    const rows = await runsBefore(this.pool, p_after ?? null, limit);
    return { runs: rows.map(toWireRun), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  }
}

function toWireRun(stored: StoredRun): VerificationRun {
  const { id, requested_by, requested_by_name, requested_at, started_at, ended_at } = stored;
  const { events, problems, result, failure } = stored;
  return {
    ...{ id, requested_by, requested_by_name, events, problems, result, failure },
    requested_at: requested_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
  };
}
