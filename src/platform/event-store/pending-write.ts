import type { Timed } from '../deadlines.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from './event-store.js';

/** The part of `Deadlines` that a write uses. */
interface InFlight {
  add(work: Timed): void;
  delete(work: Timed): void;
}

/** A write to a stream that waits for its outcome: an answer, a failure or its deadline. Only the first one counts. */
export class PendingWrite<Answer> implements Timed {
  index?: number;
  /** True after the write was sent. Until the answer arrives, it is unknown whether the write is stored. */
  sent = false;
  /** True after the caller has received the outcome. */
  answered = false;

  /** @param deadline in the time of `performance.now()`, milliseconds */
  constructor(
    readonly stream: string,
    readonly deadline: number,
    private readonly inFlight: InFlight,
    private readonly onAnswer: (answer: Answer) => void,
    private readonly onFailure: (error: Error) => void,
  ) {
    inFlight.add(this);
  }

  answer(answer: Answer): void {
    if (this.end()) this.onAnswer(answer);
  }

  fail(error: Error): void {
    if (this.end()) this.onFailure(error);
  }

  /** Fails because the deadline has passed. If the write was sent, its outcome is unknown; else it is not stored. */
  failLate(why: Error): void {
    this.fail(this.sent ? new UnknownOutcomeError(this.stream, why) : new EventStoreUnavailableError(why));
  }

  /** @returns false when there was an outcome already */
  private end(): boolean {
    if (this.answered) return false;
    this.answered = true;
    this.inFlight.delete(this);
    return true;
  }
}
