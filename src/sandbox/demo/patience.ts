import { setTimeout as pause } from 'node:timers/promises';
import { PaymentBusyError } from '../../payments/index.js';
import { DatabaseSilentError } from '../../platform/database/budgeted-pool.js';
import { DomainError } from '../../platform/domain-error.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from '../../platform/event-store/event-store.js';

/** Pause before a step is repeated because a store does not answer. */
const RETRY_MS = 500;

/**
 * Repeats steps while a store does not answer, or a payment is being settled. A step must continue where its last
 * attempt stopped.
 */
export class Patience {
  /** Steps that are repeated. */
  private waiting = 0;

  /** @param report is called when the first step waits */
  constructor(private readonly report: (reason: string) => void) {}

  async wait<T>(step: () => Promise<T>): Promise<T> {
    let failed = false;
    try {
      for (;;) {
        try {
          return await step();
        } catch (error) {
          if (!isTransient(error)) throw error;
          if (this.waiting === 0) this.report((error as Error).message);
          if (!failed) this.waiting += 1;
          failed = true;
          await pause(RETRY_MS);
        }
      }
    } finally {
      if (failed) this.waiting -= 1;
    }
  }
}

const TRANSIENT = [EventStoreUnavailableError, UnknownOutcomeError, DatabaseSilentError, PaymentBusyError] as const;

/** A store does not answer now, or a worker of the app settles the same payment. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DomainError) return error.kind === 'unavailable';
  return TRANSIENT.some((kind) => error instanceof kind);
}
