import { earningEventId, type EarningEvent, EARNINGS_STREAM_PREFIX, readEarningEvent } from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { RECORDED_WITHIN_MS } from './event-times.js';
import { StreamAudit } from './stream-audit.js';

const FIELDS = 'cents,earnedAt,kind,payableAt,reference,schemaVersion';

/**
 * Checks the stream of a creator's earnings, event by event: what an event can show alone. `EarningsCheck` compares
 * them with the shares that the events of accounts make.
 */
export class EarningAudit extends StreamAudit {
  /** The record of the last event; null when it cannot be read. */
  share: EarningEvent['data'] | null = null;

  get creatorId(): string {
    return this.stream.slice(EARNINGS_STREAM_PREFIX.length);
  }

  override add(stored: StoredEvent): void {
    this.share = null;
    // Each record stands for itself, so one that cannot be read hides no other.
    this.readable = true;
    super.add(stored);
  }

  protected override read(stored: StoredEvent): void {
    const at = this.advance(stored);
    const event = readEarningEvent(stored);
    this.check(event, stored, at);
    this.share = event.data;
  }

  private check(event: EarningEvent, { version, id }: StoredEvent, at: number): void {
    const need = (holds: boolean, sentence: string): void => {
      if (!holds) this.report(version, 'earning', sentence);
    };
    const { data } = event;
    const { reference, kind, cents, earnedAt } = data;
    need(Object.keys(data).sort().join() === FIELDS, 'The record of a share has other fields than it must have.');
    need(/^[0-9a-f]{64}$/.test(reference), 'The reference is not a SHA-256 in hex.');
    need(id === earningEventId(event), 'The id of the event does not follow from its reference.');
    const isTaken = kind === 'correction';
    const isGain = kind === 'earning' || kind === 'restoration';
    need(
      Number.isSafeInteger(cents) && (isTaken ? cents < 0 : isGain && cents > 0),
      'The amount does not fit its kind.',
    );
    // The clock of the fan's event may be ahead of that of the record.
    need(Date.parse(earnedAt) <= at + RECORDED_WITHIN_MS, 'The share is recorded before it was earned.');
  }
}
