import { Module } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from '../platform/database/database.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { InstallationKeys } from '../platform/keys/installation-keys.js';
import { AuditorController } from './http/auditor.controller.js';
import { LogController } from './http/log.controller.js';
import { VerificationRunsController } from './http/verification-runs.controller.js';
import { ExportPages } from './export/export-pages.js';
import { LogSchedule } from './workers/log-schedule.js';
import { SealSchedule } from './workers/seal-schedule.js';
import { RunSchedule } from './workers/run-schedule.js';
import { RequestVerificationHandler } from './runs/request-verification-handler.js';
import { RunThreads } from './runs/run-threads.js';
import { LedgerKeys } from './seals/ledger-keys.js';
import { VerificationSchedule } from './workers/verification-schedule.js';

/** The ledger audit in the running app: daily seals, the public log, and the endpoints for auditors. */
@Module({
  controllers: [AuditorController, VerificationRunsController, LogController],
  providers: [
    ExportPages,
    SealSchedule,
    LogSchedule,
    VerificationSchedule,
    RunSchedule,
    RequestVerificationHandler,
    { provide: RunThreads, useValue: new RunThreads() },
    {
      provide: LedgerKeys,
      inject: [CONFIG, PG_POOL, InstallationKeys],
      useFactory: ({ ledger, dataDir }: Config, pool: Pool, keys: InstallationKeys) =>
        LedgerKeys.open(pool, { given: ledger.signingKey, keys, dataDir }),
    },
  ],
})
export class LedgerAuditModule {}
