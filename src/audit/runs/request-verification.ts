import { Command } from '@nestjs/cqrs';
import { type StoredRun } from './verification-runs.js';

/**
 * Requests a full verification of the ledger, which starts at once in the background. While one waits or is in
 * progress, returns that one.
 */
export class RequestVerification extends Command<StoredRun> {
  /** @param requestedBy id of the auditor */
  constructor(readonly requestedBy: string) {
    super();
  }
}
