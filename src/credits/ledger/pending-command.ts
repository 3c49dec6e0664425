import type { Deadlines } from '../../platform/deadlines.js';
import type { NewEvent } from '../../platform/event-store/event-store.js';
import { PendingWrite } from '../../platform/event-store/pending-write.js';
import type { CreditEvent } from '../account/events.js';
import type { AccountState } from '../account/state.js';

/** Actor of what follows from a generation's outcome or from the payment processor's reports. */
export const SYSTEM_ACTOR = 'system';

/** Actor and business process of a command. Stored in the metadata of its events. */
export interface CommandOrigin {
  /** User id, admin id or `SYSTEM_ACTOR`. */
  readonly actorId: string;
  /** The business process: the id of a generation or checkout session. Default: the command's own id. */
  readonly correlationId?: string;
  /** The act of an admin that causes the events. Default: the command's own id. */
  readonly causationId?: string;
}

/** Place of a stored event. */
export interface EventAddress {
  readonly stream: string;
  readonly version: number;
  readonly id: string;
}

/** Outcome of a command. */
export interface Execution<Answer> {
  /** The result of `AnswerOf` for the account right after the command. */
  readonly answer: Answer;
  /** The events written; empty for a repeat. */
  readonly events: readonly CreditEvent[];
  /** Where they are stored. */
  readonly addresses: readonly EventAddress[];
  /** Position in the event store of the last event written; null when nothing was written. */
  readonly position: string | null;
}

/** Returns the events of a command, none for a repeat. Throws to refuse. Depends on its arguments only. */
export type Decide = (state: AccountState, now: Date) => CreditEvent[];

/** Reads the answer from the account right after the command. `at` is the account time of the decision. */
export type AnswerOf<Answer> = (state: AccountState, at: number, events: readonly CreditEvent[]) => Answer;

/** A command that waits for its answer. */
export class PendingCommand extends PendingWrite<Execution<unknown>> {
  /** Number of decisions that a write of another instance made void. */
  conflicts = 0;
  /** The account was read after the command arrived: a refusal needs no second look at the stream. */
  loadedAfterArrival = false;

  constructor(
    stream: string,
    readonly origin: CommandOrigin,
    readonly commandId: string,
    readonly decide: Decide,
    readonly answerOf: AnswerOf<unknown> | undefined,
    deadline: number,
    inFlight: Deadlines<PendingCommand>,
    onAnswer: (execution: Execution<unknown>) => void,
    onFailure: (error: Error) => void,
  ) {
    super(stream, deadline, inFlight, onAnswer, onFailure);
  }
}

/** The outcome of one command before its events are known to be stored. */
export class Decision {
  constructor(
    readonly command: PendingCommand,
    readonly refusal: Error | null,
    readonly events: readonly CreditEvent[] = [],
    /** The same events as they are appended. */
    readonly newEvents: readonly NewEvent[] = [],
    private readonly answer?: unknown,
    /** Version of its first event. */
    private readonly firstVersion = 0,
  ) {}

  /**
   * Answers the command.
   * @param position position of the append that stored its events
   */
  resolve(position: string | null): void {
    const { command, refusal, events, newEvents, answer } = this;
    if (refusal) {
      command.fail(refusal);
      return;
    }
    const { stream } = command;
    const addresses = newEvents.map(({ id }, index) => ({ stream, version: this.firstVersion + index, id }));
    command.answer({ answer, events, addresses, position: events.length > 0 ? position : null });
  }
}
