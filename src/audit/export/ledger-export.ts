import { type KeyObject } from 'node:crypto';
import { type EventStore, type StoredEvent } from '../../platform/event-store/event-store.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { eventsOfStreams } from '../../platform/event-store/read-events.js';
import { type JsonObject } from '../../platform/json.js';
import { userOfStream } from '../../credits/index.js';
import { AccountAudit, type LedgerProblem } from '../verify/account-audit.js';
import { type KindTotals } from '../verify/account-lots.js';
import { MerkleRoot, type MerkleState } from '../seals/merkle-root.js';
import { PolicyCheck } from '../verify/policy-check.js';
import { textIn } from '../verify/read-account.js';
import { type StreamAudit } from '../verify/stream-audit.js';
import { ACCOUNTS, kindOf, ledgerStreams } from '../verify/stream-kinds.js';
import { type SealedHeads } from '../seals/seal-file.js';
import { SealComparison, type SealedStream } from '../seals/sealed-stream.js';
import {
  compareNames,
  isObject,
  isEnded,
  lastLineOf,
  linesOf,
  parseObject,
  parseSignedLine,
  signatureProblem,
  signedLine,
  writeLines,
  type SignedManifest,
  type WriteLine,
} from '../seals/signed-file.js';
import { fingerprintOf } from '../seals/signing-key.js';

const FORMAT = 'fanvas-ledger-export';
const FORMAT_VERSION = 1;
const NOT_EXPORTED = 'The stream is not in the export: all its events were deleted in the event store.';

/** The manifest of an export. The signature covers all of it. */
export interface ExportManifest extends SignedManifest {
  readonly format: typeof FORMAT;
  readonly formatVersion: typeof FORMAT_VERSION;
}

/** The state from which an export can be continued. */
export type ExportState = {
  startedAt: string;
  streams: number;
  events: number;
  tree: MerkleState;
  /** Head of the current stream. */
  head: { stream: string; version: number; hash: string | null } | null;
};

/** Formats the lines of an export. The caller adds events stream by stream, in byte order of the stream names. */
export class ExportLines {
  private readonly tree: MerkleRoot;
  private readonly state: Omit<ExportState, 'tree'>;

  constructor(start: ExportState | { readonly startedAt: string }) {
    const fresh = { streams: 0, events: 0, tree: { count: 0, peaks: [] }, head: null };
    const { tree, ...state } = { ...fresh, ...start };
    this.tree = new MerkleRoot(tree);
    this.state = state;
  }

  /** The state from which a new instance can continue. */
  save(): ExportState {
    return { ...this.state, tree: this.tree.save() };
  }

  get streams(): number {
    return this.state.streams;
  }

  get events(): number {
    return this.state.events;
  }

  /** The last event added; null at the beginning. */
  get last(): ExportState['head'] {
    return this.state.head;
  }

  add({ stream, version, id, type, data, metadata }: StoredEvent): string[] {
    const closing = this.state.head && this.state.head.stream !== stream ? [this.closeStream()] : [];
    this.state.head = { stream, version, hash: textIn(metadata.hash) };
    this.state.events += 1;
    return [...closing, this.line({ event: { stream, version, id, type, data, metadata } })];
  }

  /** Returns the last lines: the head of the last stream, and the signed manifest. */
  finish(key: KeyObject, now: Date): string[] {
    const closing = this.state.head ? [this.closeStream()] : [];
    const { startedAt, streams, events } = this.state;
    const manifest: Record<keyof ExportManifest, string | number> = {
      format: FORMAT,
      formatVersion: FORMAT_VERSION,
      startedAt,
      endedAt: now.toISOString(),
      streams,
      events,
      merkleRoot: this.tree.root(),
      keyFingerprint: fingerprintOf(key),
    };
    return [...closing, signedLine(manifest, key)];
  }

  private closeStream(): string {
    const { head } = this.state;
    this.state.head = null;
    this.state.streams += 1;
    return this.line({ head });
  }

  private line(content: JsonObject): string {
    const text = canonicalJson(content);
    this.tree.add(text);
    return text;
  }
}

export interface ExportOptions {
  readonly key: KeyObject;
  readonly now: () => Date;
  readonly onProblem: (problem: LedgerProblem) => void;
  readonly onProgress?: (soFar: { accounts: number; events: number }) => void;
}

/** The audit of a stream. A name of no kind is forged, and the rules of accounts name what is wrong. */
function auditOf(stream: string, policy: PolicyCheck, onProblem: (problem: LedgerProblem) => void): StreamAudit {
  return (kindOf(stream) ?? ACCOUNTS).audit(stream, onProblem, policy);
}

/**
 * Writes all earnings, payouts, accounts, the policy and the events of the processor to a file of JSON lines: for each
 * stream its events and then its head, and at the end the signed manifest. The file receives its name only when it is
 * complete.
 * @throws LedgerFileError when the file exists
 */
export async function exportLedger(
  { eventStore }: { eventStore: EventStore },
  file: string,
  options: ExportOptions,
): Promise<ExportManifest> {
  return writeLines(file, (write) => writeExport(eventStore, write, options));
}

async function writeExport(
  eventStore: EventStore,
  write: WriteLine,
  { key, now, onProblem, onProgress }: ExportOptions,
): Promise<ExportManifest> {
  const lines = new ExportLines({ startedAt: now().toISOString() });
  let audit = null as StreamAudit | null;
  const policy = new PolicyCheck(onProblem, null);
  for await (const streams of ledgerStreams(eventStore)) {
    const missing = new Set(streams);
    for await (const page of eventsOfStreams(eventStore, streams)) {
      for (const stored of page) {
        if (audit?.stream !== stored.stream) {
          audit?.end();
          audit = auditOf(stored.stream, policy, onProblem);
        }
        audit.add(stored);
        policy.add(stored);
        missing.delete(stored.stream);
        for (const line of lines.add(stored)) await write(line);
      }
      onProgress?.({ accounts: lines.streams, events: lines.events });
    }
    for (const stream of missing) onProblem({ stream, version: null, kind: 'version', what: NOT_EXPORTED });
  }
  audit?.end();
  await policy.end();
  const last = lines.finish(key, now());
  for (const line of last) await write(line);
  const signed = parseManifest(last.at(-1) ?? '');
  if (!signed) throw new Error('The manifest that was just written cannot be read.');
  return signed.manifest;
}

export interface ExportedBalance {
  readonly userId: string;
  readonly version: number;
  /** Spendable credits at the start of the export, computed from the events in the file. */
  readonly balance: KindTotals;
  readonly open: number;
  readonly owed: number;
}

export interface ExportVerification {
  /** Null when the file has no readable manifest. */
  readonly manifest: ExportManifest | null;
  readonly accounts: number;
  readonly events: number;
  readonly problems: number;
}

/**
 * Verifies that an export is complete and unchanged, and recomputes every balance from it. Needs only the public key.
 * Reads the manifest in the last line first, because balances need its `startedAt`. Then reads the file line by line.
 * With `sealed`, the heads of a verified seal, the file must contain every event that the seal covers.
 * @throws LedgerFileError when the file cannot be read
 */
export async function verifyExport(
  file: string,
  publicKeys: readonly KeyObject[],
  onProblem: (problem: LedgerProblem) => void,
  onBalance: (balance: ExportedBalance) => void,
  sealed?: SealedHeads,
): Promise<ExportVerification> {
  let problems = 0;
  const addProblem = (problem: LedgerProblem): void => {
    problems += 1;
    onProblem(problem);
  };
  const complain = (sentence: string, stream = '*'): void =>
    addProblem({ stream, version: null, kind: 'export', what: sentence });

  const lastLine = await lastLineOf(file);
  const signed = parseManifest(lastLine);
  if (!signed) complain('The file does not end with a manifest: its end is missing, or it is not an export.');
  else {
    const wrong = signatureProblem(signed, publicKeys);
    if (wrong !== null) complain(wrong);
    if (!(await isEnded(file))) complain('The last line has no line feed: the end of the file is missing.');
  }
  const at = signed ? Date.parse(signed.manifest.startedAt) : Number.POSITIVE_INFINITY;

  const tree = new MerkleRoot();
  let accounts = 0;
  let events = 0;
  let audit = null as StreamAudit | null;
  const policy = new PolicyCheck(addProblem, null);
  let streams = 0;
  let lastStream = '';
  let ended = false;
  const seals = new SealComparison(sealed, addProblem);
  let sealedStream: SealedStream | null = null;
  for await (const line of linesOf(file)) {
    if (ended) {
      complain('Lines follow the manifest.');
      break;
    }
    const parsed = parseLine(line.toString('utf8'));
    if (parsed?.manifest !== undefined) {
      ended = true;
      continue;
    }
    tree.add(line);
    if (parsed?.event) {
      const { stream } = parsed.event;
      if (!audit || audit.stream !== stream) {
        if (audit) complain('The stream has no head.', audit.stream);
        if (compareNames(stream, lastStream) <= 0) {
          complain('The stream is in the wrong place or appears twice.', stream);
        }
        audit = auditOf(stream, policy, addProblem);
        lastStream = stream;
        sealedStream = await seals.begin(stream);
      }
      audit.add(parsed.event);
      policy.add(parsed.event);
      sealedStream?.add(parsed.event, audit.head, addProblem);
      events += 1;
    } else if (parsed?.head && audit) {
      const { stream, version, hash } = parsed.head;
      if (stream !== audit.stream || version !== audit.version || hash !== audit.head) {
        complain('The head of the stream is not its last event.', stream);
      }
      sealedStream?.end(stream, audit.version, addProblem);
      streams += 1;
      if (audit instanceof AccountAudit) {
        audit.end();
        accounts += 1;
        const userId = userOfStream(stream);
        const balance = audit.lots.spendableAt(at);
        onBalance({ userId, version: audit.version, balance, open: audit.openCredits, owed: audit.owed });
      }
      audit = null;
    } else complain('A line is not an event, not a head in its place and not the manifest.');
  }
  if (audit) complain('The stream has no head.', audit.stream);
  await policy.end();
  await seals.heads(null);
  const manifest = signed?.manifest ?? null;
  if (manifest && manifest.streams !== streams) {
    complain(`The manifest counts ${manifest.streams} streams, but the file has ${streams}.`);
  }
  if (manifest && manifest.events !== events) {
    complain(`The manifest counts ${manifest.events} events, but the file has ${events}.`);
  }
  if (manifest && manifest.merkleRoot !== tree.root()) {
    complain('The Merkle root of the lines differs from the manifest: lines were changed, dropped, added or moved.');
  }
  return { manifest, accounts, events, problems };
}

interface Line {
  readonly event?: StoredEvent;
  readonly head?: { readonly stream: string; readonly version: number; readonly hash: string | null };
  readonly manifest?: unknown;
}

/** Parses a line of an export; returns null for an invalid line. The audit checks the content of events. */
function parseLine(line: string): Line | null {
  const parsed = parseObject(line) as Line | null;
  if (!parsed || !('event' in parsed)) return parsed;
  const { stream, version, data, metadata } = (parsed.event ?? {}) as Partial<StoredEvent>;
  const valid = typeof stream === 'string' && Number.isSafeInteger(version) && isObject(data) && isObject(metadata);
  return valid ? parsed : null;
}

function parseManifest(line: string): { manifest: ExportManifest; signature: string } | null {
  return parseSignedLine<ExportManifest>(line, FORMAT, FORMAT_VERSION);
}
