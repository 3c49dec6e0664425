import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Locks } from '../../platform/locks.js';
import { DecideCreditProposalHandler } from '../use-cases/decide-credit-proposal.js';

const INTERVAL_MS = 60_000;

/** Completes approved proposals whose process died before the ledger was changed. */
@Injectable()
export class CreditProposals {
  private readonly logger = new Logger(CreditProposals.name);

  constructor(
    private readonly decisions: DecideCreditProposalHandler,
    private readonly locks: Locks,
  ) {}

  @Interval('credit-proposals', INTERVAL_MS)
  async complete(): Promise<void> {
    try {
      const completed = await this.locks.withLock('credit-proposals', () => this.decisions.applyApproved());
      if (completed) this.logger.log('Interrupted approvals were completed.', { completed });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn('An approved proposal could not be completed. It is tried again.', { reason });
    }
  }
}
