import type { Timed } from '../deadlines.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from './event-store.js';

/** The part of `Deadlines` that a write uses. */
interface InFlight {
  add(work: Timed): void;
  delete(work: Timed): void;
}

/** A write to a stream until its caller has an outcome. Only the first outcome counts; a passed deadline is one. */
export class PendingWrite<Answer> implements Timed {
  place?: number;
  /** It was sent: whether it is stored is unknown until the answer. */
  sent = false;
  /** The caller has an outcome, which may be the passed deadline. */
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

  /** Fails because the deadline has passed: the outcome is unknown if it was sent, else the store is unavailable. */
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
