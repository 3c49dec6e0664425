import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Pool } from 'pg';
import { Clock } from '../../platform/clock.js';
import { PG_POOL } from '../../platform/database/database.js';
import { RunSchedule } from '../workers/run-schedule.js';
import { RequestVerification } from './request-verification.js';
import { requestRun, type StoredRun } from './verification-runs.js';

@CommandHandler(RequestVerification)
export class RequestVerificationHandler implements ICommandHandler<RequestVerification> {
  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly schedule: RunSchedule,
  ) {}

  async execute({ input: requestedBy }: RequestVerification): Promise<StoredRun> {
    const run = await requestRun(this.pool, requestedBy, this.clock.now());
    this.schedule.begin();
    return run;
  }
}
