import { type ProblemKind, type VerificationProblem } from '../../contract/audit.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { eventHash } from '../../platform/event-store/hash-chain.js';
import { textIn, textOf, timeOf } from './read-account.js';

/** A problem of the ledger. */
export type LedgerProblem = VerificationProblem;

/**
 * Checks what every stream of the ledger must keep: versions without gaps, the hash chain, and rising times. The audit
 * of a kind of streams adds its own rules.
 */
export abstract class StreamAudit {
  /** Version of the last event seen; -1 before the first. */
  version = -1;
  /** Stored hash of the last event seen. */
  head: string | null = null;
  /** Number of events seen. */
  events = 0;
  /** False once an event could not be read: from then on only the chain is checked. */
  readable = true;
  /** Time of the last event, epoch milliseconds. */
  protected lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly stream: string,
    private readonly onProblem: (problem: LedgerProblem) => void,
  ) {}

  /** Adds the next event of the stream. Never throws because of its content. */
  add(stored: StoredEvent): void {
    this.checkLink(stored);
    this.version = stored.version;
    this.events += 1;
    if (!this.readable) return;
    try {
      this.read(stored);
    } catch (error) {
      this.readable = false;
      this.report(stored.version, 'event', `The ${stored.type} event cannot be read: ${messageOf(error)}`);
    }
  }

  /** Must be called after the last event. */
  end(): void {
    // Most kinds of streams have no rule about their end.
  }

  /** Checks the content of the next event. @throws when it cannot be read */
  protected abstract read(stored: StoredEvent): void;

  protected report(version: number | null, kind: ProblemKind, sentence: string): void {
    this.onProblem({ stream: this.stream, version, kind, what: sentence });
  }

  private checkLink(stored: StoredEvent): void {
    const next = this.version + 1;
    if (stored.version !== next) {
      const missing = stored.version === next + 1 ? `Event ${next} is` : `Events ${next} to ${stored.version - 1} are`;
      this.report(next, 'version', `${missing} missing.`);
    }
    const found = textIn(stored.metadata.hash);
    if (found === null || found !== hashOf(this.head, stored)) {
      this.report(
        stored.version,
        'chain',
        found === null
          ? 'The event has no hash.'
          : 'The hash does not match the content of the event and the hash before it.',
      );
    }
    this.head = found;
    if (stored.metadata.eventId !== stored.id) {
      this.report(stored.version, 'event', 'The event id in the metadata differs from the id of the event.');
    }
  }

  /** The time of the event. @throws Error when it has none */
  protected timeIn(stored: StoredEvent): number {
    const at = timeOf(stored);
    if (Number.isNaN(at)) throw new Error('it has no valid time.');
    // Events are found by this text, so no other form may exist.
    if (stored.metadata.occurredAt !== textOf(at)) {
      this.report(stored.version, 'event', 'The time of the event is not written as the ledger writes times.');
    }
    return at;
  }

  /** Like {@link timeIn}; the time must not lie before that of the event before. */
  protected advance(stored: StoredEvent): number {
    const at = this.timeIn(stored);
    if (at < this.lastAt) this.report(stored.version, 'event', 'The event occurred before the previous one.');
    this.lastAt = Math.max(at, this.lastAt);
    return at;
  }
}

/** Null for content that cannot be hashed, such as half a surrogate pair in a forged file. */
function hashOf(previous: string | null, stored: StoredEvent): string | null {
  try {
    return eventHash(previous, stored);
  } catch (error) {
    if (error instanceof Error && error.name === 'TypeError') return null;
    throw error;
  }
}

/**
 * The reason why an event could not be read or applied: the sentence of an error of the product. The text of an error
 * of the language is not shown.
 */
export function messageOf(error: unknown): string {
  const isOfLanguage = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return error instanceof Error && !isOfLanguage ? error.message : 'its content has another form than expected.';
}
