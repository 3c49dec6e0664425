import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { type ImportedHistory } from '../imports/imported-history.js';
import { type SealedStream } from '../seals/sealed-stream.js';
import { type AuditedRepair } from './account-audit.js';
import { EventTimes, type RepairedClock } from './event-times.js';
import { type Report } from './problem-reports.js';
import { type StreamAudit } from './stream-audit.js';

interface StreamSettings<Audit extends StreamAudit> {
  readonly audit: Audit;
  readonly eventStore: EventStore;
  readonly now: () => Date;
  readonly report: Report;
  /** Null for a stream that has no past. */
  readonly imports: ImportedHistory | null;
  /** Null when it is not compared with seals. */
  readonly sealed: SealedStream | null;
}

/**
 * Verifies the events of one stream, of any kind: its rules, the order of the store, the times, and what imports and
 * seals say about them.
 */
export class VerifiedStream<Audit extends StreamAudit> {
  readonly audit: Audit;
  private readonly times: EventTimes;
  /** Position of the last event. */
  private position: string | null = null;

  constructor(private readonly settings: StreamSettings<Audit>) {
    const { audit, now, report, imports } = settings;
    this.audit = audit;
    this.times = new EventTimes(audit.stream, now, report, (version) => imports?.has(audit.stream, version) ?? false);
  }

  add(stored: StoredEvent): void {
    const { audit, imports, sealed, report } = this.settings;
    audit.add(stored);
    this.checkPosition(stored);
    this.times.add(stored);
    imports?.check(stored, audit.head, report);
    sealed?.add(stored, audit.head, report);
  }

  /** Applies a repair of the clock, which the last event has made. */
  repair(repair: AuditedRepair): RepairedClock {
    return this.times.repair(repair);
  }

  /** Called after the last event. */
  end(): void {
    const { audit, imports, sealed, report } = this.settings;
    audit.end();
    this.times.end();
    imports?.end(audit.stream, audit.version, report);
    sealed?.end(audit.stream, audit.version, report);
  }

  /** Events that the newest seal does not cover; 0 without seals. */
  get unsealedEvents(): number {
    return this.settings.sealed?.beyondNewest ?? 0;
  }

  private checkPosition({ stream, version, position }: StoredEvent): void {
    const { eventStore, report } = this.settings;
    const before = this.position;
    this.position = position;
    if (before === null || eventStore.comparePositions(before, position) < 0) return;
    const sentence = 'The position of this event does not lie behind that of the event before it.';
    report({ stream, version, kind: 'position', what: sentence });
  }
}
