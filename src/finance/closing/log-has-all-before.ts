import { Query } from '@nestjs/cqrs';

/**
 * Whether the public log has every event of the ledger that occurred before an instant, which is at least 15 minutes
 * old. The audit, which is above this context, answers.
 */
export class LogHasAllBefore extends Query<boolean> {
  constructor(readonly end: Date) {
    super();
  }
}
