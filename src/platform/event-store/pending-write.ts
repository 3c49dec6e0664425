import type { Timed } from '../deadlines.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from './event-store.js';

/** `Deadlines`, as far as a write needs to know of it. */
interface UnderWay {
  add(work: Timed): void;
  delete(work: Timed): void;
}

/** Something to be written to a stream, until its caller has an answer. The first one counts; when time is over, that is one. */
export class PendingWrite<Answer> implements Timed {
  place?: number;
  /** It is on its way: whether it is stored is not known. */
  sent = false;
  /** Perhaps because its time was over. */
  answered = false;

  /** @param deadline as `performance.now()` tells time */
  constructor(
    readonly stream: string,
    readonly deadline: number,
    private readonly underWay: UnderWay,
    private readonly onAnswer: (answer: Answer) => void,
    private readonly onFailure: (error: Error) => void,
  ) {
    underWay.add(this);
  }

  answer(answer: Answer): void {
    if (this.end()) this.onAnswer(answer);
  }

  fail(error: Error): void {
    if (this.end()) this.onFailure(error);
  }

  /** Fails for its time is over: unknown if it is on its way, unavailable if it is not. */
  failLate(why: Error): void {
    this.fail(this.sent ? new UnknownOutcomeError(this.stream, why) : new EventStoreUnavailableError(why));
  }

  /** @returns false when it had been answered */
  private end(): boolean {
    if (this.answered) return false;
    this.answered = true;
    this.underWay.delete(this);
    return true;
  }
}
