import { Module } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from '../platform/database/database.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { InstallationKeys } from '../platform/keys/installation-keys.js';
import { AuditorController } from './http/auditor.controller.js';
import { LogController } from './http/log.controller.js';
import { ExportPages } from './export/export-pages.js';
import { PublicLog } from './log/public-log.js';
import { LogSchedule } from './workers/log-schedule.js';
import { SealSchedule } from './workers/seal-schedule.js';
import { RunSchedule } from './workers/run-schedule.js';
import * as reads from './reads/handlers.js';
import { RequestVerificationHandler } from './use-cases/request-verification.js';
import { RunThreads } from './runs/run-threads.js';
import { LedgerKeys } from './seals/ledger-keys.js';
import { VerificationSchedule } from './workers/verification-schedule.js';

/** The ledger audit in the running app: daily seals, the public log, and the endpoints for auditors. */
@Module({
  controllers: [AuditorController, LogController],
  providers: [
    ExportPages,
    PublicLog,
    SealSchedule,
    LogSchedule,
    VerificationSchedule,
    RunSchedule,
    ...Object.values(reads),
    RequestVerificationHandler,
    { provide: RunThreads, useValue: new RunThreads() },
    {
      provide: LedgerKeys,
      inject: [CONFIG, PG_POOL, InstallationKeys],
      useFactory: ({ ledger, dataDir }: Config, pool: Pool, keys: InstallationKeys) =>
        LedgerKeys.open(pool, { configuredKey: ledger.signingKey, keys, dataDir }),
    },
  ],
})
export class LedgerAuditModule {}
