import { DomainError } from '../../platform/domain-error.js';

/** A command about a payout was refused. Nothing was written. */
export class PayoutRefusedError extends DomainError {
  constructor(
    readonly payoutId: string,
    message: string,
  ) {
    super('conflict', message);
  }
}
