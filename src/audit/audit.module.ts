import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config.js';
import { AuditorController } from './http/auditor.controller.js';
import { ExportPages } from './export/export-pages.js';
import { SealSchedule } from './workers/seal-schedule.js';
import { LEDGER_KEY, signingKey } from './seals/signing-key.js';

/** The ledger audit in the running app: daily seals, and the endpoints for auditors. */
@Module({
  controllers: [AuditorController],
  providers: [
    ExportPages,
    SealSchedule,
    {
      provide: LEDGER_KEY,
      inject: [CONFIG],
      useFactory: ({ ledger, dataDir }: Config) => signingKey(ledger.signingKey, dataDir),
    },
  ],
})
export class LedgerAuditModule {}
