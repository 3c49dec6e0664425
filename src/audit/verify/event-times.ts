import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type AuditedRepair, type LedgerProblem } from './account-audit.js';
import { timeOf } from './read-account.js';

/**
 * An event is recorded within seconds. A longer gap between its time and that of the store is a problem. Milliseconds.
 */
export const RECORDED_WITHIN_MS = 10 * 60 * 1000;

/** A repair of an account's time, and the events from the future that it covers. */
export interface RepairedClock extends AuditedRepair {
  readonly stream: string;
  /** Versions of the first and the last event that the repair covers; null when none is ahead of its recording. */
  readonly repaired: { readonly from: number; readonly to: number } | null;
}

interface Ahead {
  readonly version: number;
  readonly at: number;
  readonly recordedAt: Date;
}

/**
 * Compares the hashed times of the events of one account with the times at which the store recorded them, and with now.
 * An event from the future is no problem when an admin's repair follows it. An older event is no problem when a signed
 * record of an import names it.
 */
export class EventTimes {
  /** Events that are ahead of their recording and not repaired yet. */
  private ahead: Ahead[] = [];

  constructor(
    private readonly stream: string,
    private readonly now: () => Date,
    private readonly report: (problem: LedgerProblem) => void,
    private readonly isImported: (version: number) => boolean = () => false,
  ) {}

  add(stored: StoredEvent): void {
    const { version, recordedAt } = stored;
    const at = timeOf(stored);
    if (at - recordedAt.getTime() > RECORDED_WITHIN_MS || at > this.now().getTime() + RECORDED_WITHIN_MS) {
      this.ahead.push({ version, at, recordedAt });
      return;
    }
    // Also true for an event without a readable time.
    if (!(recordedAt.getTime() - at <= RECORDED_WITHIN_MS) && !this.isImported(version)) {
      this.reportGap(stored.version, at, recordedAt);
    }
  }

  /** @returns the repair with the events that it covers: those that are dated after it */
  repair(repair: AuditedRepair): RepairedClock {
    const covered = this.ahead.filter(({ at }) => at > repair.at);
    this.ahead = this.ahead.filter(({ at }) => at <= repair.at);
    const first = covered.at(0);
    const last = covered.at(-1);
    const repaired = first && last ? { from: first.version, to: last.version } : null;
    return { ...repair, stream: this.stream, repaired };
  }

  /** Must be called after the last event. Reports the events that no repair covers. */
  end(): void {
    for (const { version, at, recordedAt } of this.ahead) {
      if (at - recordedAt.getTime() > RECORDED_WITHIN_MS) this.reportGap(version, at, recordedAt);
      if (at <= this.now().getTime() + RECORDED_WITHIN_MS) continue;
      const sentence = `The event is from the future: it says that it occurred at ${timeText(at)}.`;
      this.report({ stream: this.stream, version, kind: 'time', what: sentence });
    }
  }

  private reportGap(version: number, at: number, recordedAt: Date): void {
    const sentence = `The event says that it occurred at ${timeText(at)}, and the store recorded it at ${recordedAt.toISOString()}.`;
    this.report({ stream: this.stream, version, kind: 'time', what: sentence });
  }
}

function timeText(at: number): string {
  return Number.isNaN(at) ? 'no readable time' : new Date(at).toISOString();
}
