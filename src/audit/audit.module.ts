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
import {
  GetAccountBalanceAtHandler,
  GetAccountStatementHandler,
  ListLedgerAccountsHandler,
} from './reads/account-statement.js';
import { ExportLedgerEventsHandler, FindLedgerEventsHandler, GetAccountEventHandler } from './reads/ledger-events.js';
import { GetLedgerProofHandler, GetLedgerSealHandler, ListLedgerSealsHandler } from './reads/ledger-seals.js';
import { GetLedgerVerificationHandler, ListVerificationRunsHandler } from './reads/ledger-verification.js';
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
    GetAccountBalanceAtHandler,
    GetAccountStatementHandler,
    GetAccountEventHandler,
    ListLedgerAccountsHandler,
    FindLedgerEventsHandler,
    ExportLedgerEventsHandler,
    ListLedgerSealsHandler,
    GetLedgerSealHandler,
    GetLedgerProofHandler,
    GetLedgerVerificationHandler,
    ListVerificationRunsHandler,
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
