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
      await this.locks.withLock('credit-proposals', () => this.completeAll());
    } catch (error) {
      this.logger.error('Approved proposals could not be read. The next run is in a minute.', { error });
    }
  }

  /** Tries each approval. One that fails does not keep the later ones waiting. */
  private async completeAll(): Promise<void> {
    for await (const approvals of this.decisions.unapplied()) {
      for (const approved of approvals) {
        const proposal = { proposalId: approved.id };
        try {
          await this.decisions.complete(approved);
          this.logger.log('An interrupted approval was completed.', proposal);
        } catch (error) {
          // One that the ledger refuses is open again. After any other failure the next run tries it.
          this.logger.warn('An approved proposal could not be completed.', { ...proposal, error });
        }
      }
    }
  }
}
