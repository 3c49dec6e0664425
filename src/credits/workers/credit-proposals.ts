import { Injectable } from '@nestjs/common';
import { Locks } from '../../platform/locks.js';
import { Scheduled, ScheduledWorker } from '../../platform/scheduled-worker.js';
import { DecideCreditProposalHandler } from '../use-cases/decide-credit-proposal.js';

const INTERVAL_MS = 60_000;

/** Completes approved proposals whose process died before the ledger was changed. */
@Injectable()
@Scheduled('credit-proposals', INTERVAL_MS)
export class CreditProposals extends ScheduledWorker {
  protected override readonly failure = 'Approved proposals could not be read. The next run is in a minute.';

  constructor(
    private readonly decisions: DecideCreditProposalHandler,
    private readonly locks: Locks,
  ) {
    super();
  }

  protected override work(): Promise<unknown> {
    return this.locks.withLock('credit-proposals', () => this.completeAll());
  }

  /** Tries each approval. One that fails does not keep the later ones waiting. */
  private async completeAll(): Promise<void> {
    for await (const approvals of this.decisions.unapplied()) {
      for (const approved of approvals) {
        if (this.stopped) return;
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
