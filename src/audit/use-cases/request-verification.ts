import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { type VerificationRun } from '../../contract/audit.js';
import { Clock } from '../../platform/clock.js';
import { PG_POOL } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { toWireRun } from '../reads/ledger-verification.js';
import { requestRun } from '../runs/verification-runs.js';
import { RunSchedule } from '../workers/run-schedule.js';

/**
 * Requests a full verification of the ledger, which starts in the background: at once in a process with the
 * worker, else within 30 seconds. While one waits or is in progress, returns that one.
 * @param input id of the auditor
 */
export class RequestVerification extends CommandOf<string, VerificationRun> {}

@CommandHandler(RequestVerification)
export class RequestVerificationHandler implements ICommandHandler<RequestVerification> {
  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly schedule: RunSchedule,
  ) {}

  async execute({ input: requestedBy }: RequestVerification): Promise<VerificationRun> {
    const run = await requestRun(this.pool, requestedBy, this.clock.now());
    this.schedule.begin();
    return toWireRun(run);
  }
}
