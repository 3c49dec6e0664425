import { createHash, type KeyObject } from 'node:crypto';
import { basename } from 'node:path';
import type { EventStore, StoredEvent } from '../../platform/event-store/event-store.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { ACCOUNT_STREAM_PREFIX } from '../../credits/index.js';
import type { LedgerProblem } from '../verify/account-audit.js';
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

const FORMAT = 'fanvas-ledger-seal';
const FORMAT_VERSION = 1;

/** What a seal says; the signature covers all of it. */
export interface SealManifest extends SignedManifest {
  readonly format: typeof FORMAT;
  readonly formatVersion: typeof FORMAT_VERSION;
  /** 1 for the first seal of a ledger, then without gaps. */
  readonly number: number;
  /** Hash (`sealHash`) of the seal before it; null for the first. */
  readonly previous: string | null;
  /** Everything stored before this instant is covered. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly streams: number;
  /** All events that the heads cover. */
  readonly events: number;
  /** Of all lines in front of the manifest, without their line ends. */
  readonly merkleRoot: string;
}

/** A stream as a seal knows it: the version and the stored hash of its last event then. */
export interface SealedHead {
  /** Number of the seal. */
  readonly seal: number;
  readonly stream: string;
  readonly version: number;
  readonly hash: string | null;
}

/** Where the heads of all streams are found, in byte order of their names. */
type SealSource = Pick<EventStore, 'streams' | 'lastEvents'>;

export interface SealOptions {
  readonly number: number;
  readonly previous: string | null;
  readonly key: KeyObject;
  readonly now: () => Date;
  readonly onProgress?: (soFar: { accounts: number; events: number }) => void;
}

/** Writes the lines of a seal over all accounts. @returns its last line, the signed manifest */
export async function writeSeal(store: SealSource, write: WriteLine, options: SealOptions): Promise<string> {
  const { number, previous, key, now, onProgress } = options;
  const startedAt = now().toISOString();
  const tree = new MerkleRoot();
  const soFar = { accounts: 0, events: 0 };
  for await (const streams of store.streams(ACCOUNT_STREAM_PREFIX)) {
    const last = new Map((await store.lastEvents(streams)).map((event) => [event.stream, event]));
    for (const stream of streams) {
      const event = last.get(stream);
      if (!event) continue;
      const hash = typeof event.metadata.hash === 'string' ? event.metadata.hash : null;
      const line = canonicalJson({ head: { stream, version: event.version, hash } });
      tree.add(line);
      await write(line);
      soFar.accounts += 1;
      soFar.events += event.version + 1;
    }
    onProgress?.(soFar);
  }
  const manifest = {
    ...{ format: FORMAT, formatVersion: FORMAT_VERSION, number, previous, startedAt },
    ...{ endedAt: now().toISOString(), streams: soFar.accounts, events: soFar.events },
    ...{ merkleRoot: tree.root(), keyFingerprint: fingerprintOf(key) },
  };
  const line = signedLine(manifest, key);
  await write(line);
  return line;
}

/** What the next seal names as the one before it: SHA-256 of the signed line, lower-case hex. */
export function sealHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** Null for what is no signed line of a seal. */
export function parseSeal(line: string): { manifest: SealManifest; signature: string } | null {
  return parseSignedLine<SealManifest>(line, FORMAT, FORMAT_VERSION);
}

/** A seal whose file was proven whole. */
export interface ProvenSeal {
  readonly file: string;
  readonly manifest: SealManifest;
  /** Of its signed line. */
  readonly hash: string;
}

/**
 * Proves that the file of a seal is whole, untampered and signed with one of these keys. Reads it a line at a time.
 * @returns null when it is not; each reason was given to `complain`, as a sentence
 * @throws LedgerFileError when it cannot be read
 */
export async function proveSeal(
  file: string,
  publicKeys: readonly KeyObject[],
  complain: (what: string) => void,
): Promise<ProvenSeal | null> {
  const lastLine = await lastLineOf(file);
  const signed = parseSeal(lastLine);
  if (!signed) {
    complain(`${basename(file)} does not end with a manifest: its end is missing, or it is no seal.`);
    return null;
  }
  const { manifest } = signed;
  let sound = true;
  const fail = (what: string): void => {
    sound = false;
    complain(`${basename(file)}: ${what}`);
  };
  const wrong = signatureProblem(signed, publicKeys);
  if (wrong !== null) fail(wrong);

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
      fail('A line is neither the head of a stream nor the manifest.');
      break;
    }
    if (compareNames(head.stream, lastStream) <= 0) {
      fail(`The head of ${head.stream} stands in the wrong place, or a second time.`);
      break;
    }
    lastStream = head.stream;
    streams += 1;
    events += head.version + 1;
  }
  if (sound && (manifest.streams !== streams || manifest.events !== events)) {
    fail(
      `The manifest counts ${manifest.streams} streams and ${manifest.events} events, and the file ${streams} and ${events}.`,
    );
  }
  if (sound && manifest.merkleRoot !== tree.root()) {
    fail('The Merkle root of the lines is not that of the manifest: lines were changed, dropped, added or moved.');
  }
  return sound ? { file, manifest, hash: sealHash(lastLine) } : null;
}

function parseHead(line: string): Omit<SealedHead, 'seal'> | null {
  const { head } = (parseObject(line) ?? {}) as { head?: Omit<SealedHead, 'seal'> };
  if (!isObject(head)) return null;
  const { stream, version, hash } = head;
  const whole = typeof stream === 'string' && Number.isSafeInteger(version) && version >= 0;
  return whole && (hash === null || typeof hash === 'string') ? head : null;
}

/** A seal that is being read: its next head, and the name of that stream so that plain comparison gives byte order. */
interface SealReader {
  readonly heads: AsyncGenerator<SealedHead>;
  next: SealedHead;
  name: string;
}

/** The heads of proven seals, merged in byte order of the streams: one line of each seal is in memory. */
export class SealedHeads {
  /** A heap: the reader whose turn it is stands first, and each before those at twice its place and one or two more. */
  private readonly readers: SealReader[] = [];

  static async open(seals: readonly ProvenSeal[]): Promise<SealedHeads> {
    const merged = new SealedHeads();
    for (const seal of seals) {
      const heads = headsOf(seal);
      const first = await heads.next();
      if (first.done !== true) merged.readers.push({ heads, next: first.value, name: bytesOf(first.value.stream) });
    }
    for (let place = merged.readers.length - 1; place >= 0; place -= 1) merged.sink(place);
    return merged;
  }

  /** Heads not given before, in order, up to and with those of this stream; all that are left without one. */
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
    for (let place = from; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      let least = place;
      for (const child of [left, right]) if (isBefore(readers[child], readers[least])) least = child;
      if (least === place) return;
      [readers[place], readers[least]] = [readers[least] as SealReader, readers[place] as SealReader];
      place = least;
    }
  }
}

function isBefore(a: SealReader | undefined, b: SealReader | undefined): boolean {
  return a !== undefined && b !== undefined && a.name < b.name;
}

/** One character a byte of its UTF-8 form. */
function bytesOf(name: string): string {
  return Buffer.from(name, 'utf8').toString('latin1');
}

async function* headsOf({ file, manifest }: ProvenSeal): AsyncGenerator<SealedHead> {
  let left = manifest.streams;
  for await (const line of linesOf(file)) {
    if (left === 0) return;
    const head = parseHead(line.toString('utf8'));
    if (!head) throw new LedgerFileError(`The file ${file} was changed while it was read.`);
    left -= 1;
    yield { ...head, seal: manifest.number };
  }
}

/** Compares streams, which come in byte order, with the heads of seals. */
export class SealComparison {
  private heads: SealedHead[] = [];
  /** Heads compared so far. */
  compared = 0;

  constructor(
    private readonly sealed: SealedHeads | undefined,
    private readonly report: (problem: LedgerProblem) => void,
  ) {}

  /** Names the streams that stood in front of this one, and takes the heads of this one; null: no stream follows. */
  async begin(stream: string | null): Promise<readonly SealedHead[]> {
    this.heads = [];
    for await (const head of this.sealed?.upTo(stream) ?? []) {
      this.compared += 1;
      if (head.stream === stream) this.heads.push(head);
      else {
        const what = `The stream is gone: seal ${head.seal} covers it up to event ${head.version}.`;
        this.report({ stream: head.stream, version: head.version, kind: 'seal', what });
      }
    }
    return this.heads;
  }
}

/** Compares an event with the heads that seals have of its stream. */
export function compareSealed(
  heads: readonly SealedHead[],
  { stream, version }: Pick<StoredEvent, 'stream' | 'version'>,
  hash: string | null,
  report: (problem: LedgerProblem) => void,
): void {
  for (const head of heads) {
    if (version !== head.version || hash === head.hash) continue;
    const what = `This is not the event that seal ${head.seal} covers: it, or one before it, was changed, and the hashes after it made anew.`;
    report({ stream, version, kind: 'seal', what });
  }
}

/** Says so when a stream ends before the end that seals know. */
export function compareSealedEnd(
  heads: readonly SealedHead[],
  stream: string,
  lastVersion: number,
  report: (problem: LedgerProblem) => void,
): void {
  for (const head of heads) {
    if (lastVersion >= head.version) continue;
    const what = `The stream ends at ${lastVersion}, and seal ${head.seal} covers it up to event ${head.version}: its end is gone.`;
    report({ stream, version: lastVersion + 1, kind: 'seal', what });
  }
}
