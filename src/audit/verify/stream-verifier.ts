import { type EventStore, type StoredEvent, StreamDeletedError } from '../../platform/event-store/event-store.js';
import { eventsOf, eventsOfStreams } from '../../platform/event-store/read-events.js';
import { type ImportedHistory } from '../imports/imported-history.js';
import { type SealComparison } from '../seals/sealed-stream.js';
import { type ProblemReports } from './problem-reports.js';
import { type StreamAudit } from './stream-audit.js';
import { type StreamCheck, type StreamContext } from './stream-check.js';
import {
  type CheckedKind,
  type EventCounts,
  kindOf,
  STREAM_KINDS,
  type StreamKind,
  streamsOf,
} from './stream-kinds.js';
import { VerifiedStream } from './verified-stream.js';

/** A stream whose events are being read. */
interface OpenStream {
  readonly verified: VerifiedStream<StreamAudit>;
  readonly checks: readonly StreamCheck[];
  readonly checked: CheckedKind;
}

/** Verifies streams one by one, each by its kind: all but those of accounts, which `AccountVerifier` verifies. */
export class StreamVerifier {
  /** Events so far. */
  readonly counts: EventCounts = { policyEvents: 0, payoutEvents: 0, earningEvents: 0, processorEvents: 0 };
  /** Rows compared so far, by the name of the projection. */
  readonly rows: Record<string, number> = {};
  /** Events so far that the newest seal does not cover. */
  unsealedEvents = 0;

  constructor(
    private readonly context: Omit<StreamContext, 'isImported'> & { readonly imports: ImportedHistory },
    private readonly seals: SealComparison,
    private readonly reports: ProblemReports,
  ) {
    for (const { checked } of STREAM_KINDS) if (checked?.projection) this.rows[checked.projection.name] = 0;
  }

  /** Verifies all streams of a kind, and finds those that rows refer to and that have no events. */
  async verifyKind(kind: StreamKind): Promise<void> {
    for await (const streams of streamsOf(this.eventStore, kind)) await this.verify(streams);
    const { referred } = kind.checked ?? {};
    for (const stream of (await referred?.missing(this.context)) ?? []) {
      this.reportMissing(stream, `The stream is missing: ${referred?.by}, but it has no events.`);
    }
  }

  /** @param streams in byte order */
  async verify(streams: readonly string[]): Promise<void> {
    const together = streams.filter((stream) => kindOf(stream)?.checked?.isReadTogether);
    if (together.length > 0) await this.readTogether(together);
    for (const stream of streams) {
      const kind = kindOf(stream);
      if (kind?.checked && !kind.checked.isReadTogether) await this.readAlone(stream);
    }
  }

  private get eventStore(): EventStore {
    return this.context.eventStore;
  }

  private async readAlone(stream: string): Promise<void> {
    const open = await this.begin(stream);
    try {
      for await (const stored of eventsOf(this.eventStore, stream)) await add(open, stored);
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
      this.reportDeleted(stream);
    }
    await this.end(open);
  }

  private async readTogether(streams: readonly string[]): Promise<void> {
    const missing = new Set(streams);
    let open: OpenStream | null = null;
    for await (const page of eventsOfStreams(this.eventStore, streams)) {
      for (const stored of page) {
        if (open?.verified.audit.stream !== stored.stream) {
          if (open) await this.end(open);
          open = await this.begin(stored.stream);
          missing.delete(stored.stream);
        }
        await add(open, stored);
      }
    }
    if (open) await this.end(open);
    for (const stream of missing) this.reportDeleted(stream);
  }

  /** Its seals and its checks are read before its events. */
  private async begin(stream: string): Promise<OpenStream> {
    const { context } = this;
    const { imports, policy, eventStore, now } = context;
    const report = this.reports.for(stream);
    const kind = kindOf(stream);
    if (!kind?.checked) throw new Error(`The stream ${stream} is not verified by itself.`);
    const audit = kind.audit(stream, report, policy);
    const pastOf = kind.hasPast ? imports : null;
    const sealed = await this.seals.begin(stream);
    const isImported = ({ version }: StoredEvent): boolean => imports.has(stream, version);
    const checks: StreamCheck[] = [];
    for (const begin of kind.checked.checks) checks.push(await begin({ ...context, isImported }, audit, report));
    const verified = new VerifiedStream({ audit, eventStore, now, report, imports: pastOf, sealed });
    return { verified, checks, checked: kind.checked };
  }

  private async end({ verified, checks, checked: { counted, projection } }: OpenStream): Promise<void> {
    verified.end();
    for (const check of checks) {
      const rows = (await check.end?.()) ?? 0;
      if (projection) this.rows[projection.name] = (this.rows[projection.name] ?? 0) + rows;
    }
    this.counts[counted] += verified.audit.events;
    this.unsealedEvents += verified.unsealedEvents;
  }

  private reportDeleted(stream: string): void {
    this.reportMissing(stream, 'The stream was deleted in the event store: all its events are missing.');
  }

  private reportMissing(stream: string, sentence: string): void {
    this.reports.for(stream)({ stream, version: null, kind: 'version', what: sentence });
  }
}

async function add({ verified, checks }: OpenStream, stored: StoredEvent): Promise<void> {
  for (const check of checks) await check.before?.(stored);
  verified.add(stored);
  for (const check of checks) await check.after?.(stored);
}
