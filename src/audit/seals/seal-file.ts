import { createHash, type KeyObject } from 'node:crypto';
import { basename } from 'node:path';
import { type EventStore } from '../../platform/event-store/event-store.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { ledgerStreams } from '../verify/stream-kinds.js';
import { type JsonObject } from '../../platform/json.js';
import { type KeyRotation, rotationProblem, signRotation } from './key-rotation.js';
import { MerkleRoot } from './merkle-root.js';
import {
  compareNames,
  isObject,
  lastLineOf,
  LedgerFileError,
  linesOf,
  parseObject,
  parseSignedLine,
  signatureProblem,
  signedLine,
  type SignedManifest,
  type WriteLine,
} from './signed-file.js';
import { fingerprintOf } from './signing-key.js';
import { textIn } from '../verify/read-account.js';

const FORMAT = 'fanvas-ledger-seal';
const FORMAT_VERSION = 1;
/** Streams proven between two progress reports. */
const PROGRESS_STREAMS = 200;

/** The content of a seal. The signature covers all of it. */
export interface SealManifest extends SignedManifest {
  readonly format: typeof FORMAT;
  readonly formatVersion: typeof FORMAT_VERSION;
  /** 1 for the first seal of a ledger, then without gaps. */
  readonly number: number;
  /** Hash (`sealHash`) of the previous seal; null for the first. */
  readonly previous: string | null;
  /** The last entry of the log of acts. Absent in seals that are older than the log. */
  readonly acts?: Omit<SealedActs, 'seal'>;
  /** The key that signs from the next seal on. Absent when the key stays. */
  readonly rotation?: KeyRotation;
}

/** The state of a stream in a seal: version and stored hash of its last event at that time. */
export interface SealedHead {
  /** Number of the seal. */
  readonly seal: number;
  readonly stream: string;
  readonly version: number;
  readonly hash: string | null;
}

/** The last entry of the log of acts in a seal; number 0 and no hash for an empty log. */
export interface SealedActs {
  /** Number of the seal. */
  readonly seal: number;
  readonly number: number;
  readonly hash: string;
}

/** The source of stream heads, in byte order of the names. */
type SealSource = Pick<EventStore, 'streams' | 'lastEvents' | 'readStream'>;

export interface SealOptions {
  readonly number: number;
  readonly previous: string | null;
  readonly key: KeyObject;
  /** Replaces the key: it signs from the next seal on. */
  readonly nextKey?: KeyObject;
  readonly now: () => Date;
  /** The last entry of the log of acts. */
  readonly acts?: Omit<SealedActs, 'seal'>;
  readonly onProgress?: (soFar: { accounts: number; events: number }) => void;
  /** Receives each stream that cannot be included, because its events were deleted in the event store. */
  readonly onMissing?: (stream: string) => void;
}

/** Writes the lines of a seal over all accounts and the policy. @returns its last line, the signed manifest */
export async function writeSeal(store: SealSource, write: WriteLine, options: SealOptions): Promise<string> {
  const { number, previous, key, nextKey, now, acts, onProgress, onMissing } = options;
  const startedAt = now().toISOString();
  const tree = new MerkleRoot();
  const soFar = { accounts: 0, events: 0 };
  for await (const streams of ledgerStreams(store)) {
    const last = new Map((await store.lastEvents(streams)).map((event) => [event.stream, event]));
    for (const stream of streams) {
      const event = last.get(stream);
      if (!event) {
        onMissing?.(stream);
        continue;
      }
      const line = canonicalJson({ head: { stream, version: event.version, hash: textIn(event.metadata.hash) } });
      tree.add(line);
      await write(line);
      soFar.accounts += 1;
      soFar.events += event.version + 1;
    }
    onProgress?.(soFar);
  }
  const endedAt = now().toISOString();
  const rotation = nextKey && signRotation({ number, previous, rotatedAt: endedAt }, key, nextKey);
  const manifest = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    number,
    previous,
    startedAt,
    endedAt,
    streams: soFar.accounts,
    events: soFar.events,
    merkleRoot: tree.root(),
    keyFingerprint: fingerprintOf(key),
    ...(acts ? { acts: { number: acts.number, hash: acts.hash } } : {}),
    ...(rotation ? { rotation: { ...rotation } as JsonObject } : {}),
  };
  const line = signedLine(manifest, key);
  await write(line);
  return line;
}

/** The hash by which the next seal refers to this one: SHA-256 of the signed line, lower-case hex. */
export function sealHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** Parses the signed line of a seal. Null when the line is not a seal. Does not check the signature. */
export function parseSeal(line: string): { manifest: SealManifest; signature: string } | null {
  return parseSignedLine<SealManifest>(line, FORMAT, FORMAT_VERSION);
}

/** A seal whose file was proven complete and authentic. */
export interface ProvenSeal {
  readonly file: string;
  readonly manifest: SealManifest;
  /** Hash of its signed line. */
  readonly hash: string;
}

/**
 * Proves that the file of a seal is complete, unchanged and signed with one of these keys. Reads it a line at a time.
 * @returns null when the proof fails; `complain` receives each reason as a sentence
 * @throws LedgerFileError when it cannot be read
 */
export async function proveSeal(
  file: string,
  publicKeys: readonly KeyObject[],
  complain: (sentence: string) => void,
  onProgress?: (soFar: { accounts: number; events: number }) => void,
): Promise<ProvenSeal | null> {
  const lastLine = await lastLineOf(file);
  const signed = parseSeal(lastLine);
  if (!signed) {
    complain(`${basename(file)} does not end with a manifest: its end is missing, or it is not a seal.`);
    return null;
  }
  const { manifest } = signed;
  let sound = true;
  const fail = (sentence: string): void => {
    sound = false;
    complain(`${basename(file)}: ${sentence}`);
  };
  const wrong = signatureProblem(signed, publicKeys);
  if (wrong !== null) fail(wrong);
  const unlinked = rotationProblem(manifest);
  if (unlinked !== null) fail(unlinked);
  if (manifest.acts && !isActsHead(manifest.acts)) fail('The head of the log of acts is not valid.');

  const tree = new MerkleRoot();
  let streams = 0;
  let events = 0;
  let lastStream = '';
  let ended = false;
  for await (const line of linesOf(file)) {
    if (ended) {
      fail('Lines follow the manifest.');
      break;
    }
    const text = line.toString('utf8');
    if (text === lastLine) {
      ended = true;
      continue;
    }
    tree.add(line);
    const head = parseHead(text);
    if (!head) {
      fail('A line is not the head of a stream and not the manifest.');
      break;
    }
    if (compareNames(head.stream, lastStream) <= 0) {
      fail(`The head of ${head.stream} is in the wrong place or appears twice.`);
      break;
    }
    lastStream = head.stream;
    streams += 1;
    events += head.version + 1;
    if (streams % PROGRESS_STREAMS === 0) onProgress?.({ accounts: streams, events });
  }
  if (sound && (manifest.streams !== streams || manifest.events !== events)) {
    fail(
      `The manifest counts ${manifest.streams} streams and ${manifest.events} events, but the file has ${streams} and ${events}.`,
    );
  }
  if (sound && manifest.merkleRoot !== tree.root()) {
    fail('The Merkle root of the lines differs from the manifest: lines were changed, dropped, added or moved.');
  }
  return sound ? { file, manifest, hash: sealHash(lastLine) } : null;
}

function isActsHead({ number, hash }: Omit<SealedActs, 'seal'>): boolean {
  return Number.isSafeInteger(number) && number >= 0 && typeof hash === 'string';
}

/** Parses a line of a seal; null when it is no head. */
export function parseHead(line: string): Omit<SealedHead, 'seal'> | null {
  const { head } = (parseObject(line) ?? {}) as { head?: Omit<SealedHead, 'seal'> };
  if (!isObject(head)) return null;
  const { stream, version, hash } = head;
  const valid = typeof stream === 'string' && Number.isSafeInteger(version) && version >= 0;
  return valid && (hash === null || typeof hash === 'string') ? head : null;
}

/** A seal that is being read. `name` is the stream of the next head, encoded so that `<` gives byte order. */
interface SealReader {
  readonly heads: AsyncGenerator<SealedHead>;
  next: SealedHead;
  name: string;
}

/** The time that a seal closed: no event dated before it may be stored after the seal. */
export interface SealTime {
  /** Number of the seal. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly closedUntil: number;
}

/** Clocks of instances may differ by this much, and an event is stored soon after its time. Milliseconds. */
const CLOSED_BEFORE_MS = 60_000;

/** A seal closes the time until a minute before its heads were read. */
export function sealTimeOf({ number, startedAt }: Pick<SealManifest, 'number' | 'startedAt'>): SealTime {
  return { number, closedUntil: Date.parse(startedAt) - CLOSED_BEFORE_MS };
}

/** The head of a stream in a proven seal; null when the seal does not contain the stream. */
export async function sealedHeadOf(seal: ProvenSeal, stream: string): Promise<SealedHead | null> {
  for await (const head of headsOf(seal)) if (head.stream === stream) return head;
  return null;
}

/** Merges the heads of proven seals in byte order of the streams. Keeps one line of each seal in memory. */
export class SealedHeads {
  /**
   * A binary heap by stream name: the smallest name is first; the children of `i` are at `2 * i + 1` and `2 * i + 2`.
   */
  private readonly readers: SealReader[] = [];

  private constructor(
    /** The times that the seals closed, each seal once. */
    readonly times: readonly SealTime[],
    /** The last entries of the log of acts. Seals that are older than the log have none. */
    readonly acts: readonly SealedActs[],
  ) {}

  static async open(seals: readonly ProvenSeal[]): Promise<SealedHeads> {
    const times = new Map(seals.map(({ manifest }) => [manifest.number, sealTimeOf(manifest)]));
    const acts = seals.flatMap(({ manifest: { number, acts } }) => (acts ? [{ ...acts, seal: number }] : []));
    const merged = new SealedHeads([...times.values()], acts);
    for (const seal of seals) {
      const heads = headsOf(seal);
      const first = await heads.next();
      if (first.done !== true) merged.readers.push({ heads, next: first.value, name: bytesOf(first.value.stream) });
    }
    for (let index = merged.readers.length - 1; index >= 0; index -= 1) merged.sink(index);
    return merged;
  }

  /** The next heads in order, up to and including those of this stream. Null returns all remaining heads. */
  async *upTo(stream: string | null): AsyncGenerator<SealedHead> {
    const last = stream === null ? null : bytesOf(stream);
    for (let first = this.readers[0]; first && (last === null || first.name <= last); first = this.readers[0]) {
      const head = first.next;
      await this.advance(first);
      yield head;
    }
  }

  private async advance(first: SealReader): Promise<void> {
    const next = await first.heads.next();
    if (next.done !== true) {
      first.next = next.value;
      first.name = bytesOf(next.value.stream);
    } else {
      const end = this.readers.pop();
      if (end && end !== first) this.readers[0] = end;
    }
    this.sink(0);
  }

  private sink(from: number): void {
    const { readers } = this;
    for (let index = from; ;) {
      const left = 2 * index + 1;
      const right = 2 * index + 2;
      let least = index;
      for (const child of [left, right]) if (isBefore(readers[child], readers[least])) least = child;
      if (least === index) return;
      [readers[index], readers[least]] = [readers[least] as SealReader, readers[index] as SealReader];
      index = least;
    }
  }
}

function isBefore(a: SealReader | undefined, b: SealReader | undefined): boolean {
  return a !== undefined && b !== undefined && a.name < b.name;
}

/** Encodes each byte of the UTF-8 form as one character. */
function bytesOf(name: string): string {
  return Buffer.from(name, 'utf8').toString('latin1');
}

async function* headsOf({ file, manifest }: ProvenSeal): AsyncGenerator<SealedHead> {
  let remainingHeads = manifest.streams;
  for await (const line of linesOf(file)) {
    if (remainingHeads === 0) return;
    const head = parseHead(line.toString('utf8'));
    if (!head) throw new LedgerFileError(`The file ${file} was changed while it was read.`);
    remainingHeads -= 1;
    yield { ...head, seal: manifest.number };
  }
}
