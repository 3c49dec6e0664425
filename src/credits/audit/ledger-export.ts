import { type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { type Pool } from 'pg';
import type { EventStore, StoredEvent } from '../../platform/event-store/event-store.js';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { listStreams } from '../../platform/event-store/list-streams.js';
import type { JsonObject } from '../../platform/json.js';
import { ACCOUNT_STREAM_PREFIX, userOfStream } from '../events.js';
import { AccountAudit, type KindTotals, type LedgerProblem } from './account-audit.js';
import { MerkleRoot } from './merkle-root.js';
import { eventsOf } from './read-account.js';
import { fingerprintOf, isSignedBy, signText } from './signing-key.js';

const FORMAT = 'fanvas-ledger-export';
const FORMAT_VERSION = 1;
/** Streams listed at once. */
const PAGE = 500;

/** What the signature covers. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly formatVersion: typeof FORMAT_VERSION;
  /** When the export began: accounts are complete up to here at least. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly streams: number;
  readonly events: number;
  /** Of all lines in front of the manifest, without their line ends. */
  readonly merkleRoot: string;
  /** SHA-256 of the public key. */
  readonly keyFingerprint: string;
}

/** A file is in the way, or what is in it is no export. The message is a sentence. */
export class ExportError extends Error {}

export interface ExportOptions {
  readonly key: KeyObject;
  readonly now: () => Date;
  readonly onProblem: (problem: LedgerProblem) => void;
  readonly onProgress?: (soFar: { accounts: number; events: number }) => void;
}

/**
 * Writes all accounts to a file of JSON lines: the events of one stream after the other, each stream followed by its head, at the
 * end the manifest and its signature. The file appears under its name when it is complete.
 * @throws ExportError when there is a file of that name
 */
export async function exportLedger(
  { pool, eventStore }: { pool: Pool; eventStore: EventStore },
  file: string,
  options: ExportOptions,
): Promise<Manifest> {
  if (existsSync(file)) throw new ExportError(`There is a file ${file} already.`);
  const partial = `${file}.partial-${process.pid}`;
  const out = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
  const closed = once(out, 'close');
  // An error on opening or writing comes out at the next await of `closed` or `write`
  closed.catch(() => undefined);
  const write = async (line: string): Promise<void> => {
    if (!out.write(`${line}\n`)) await Promise.race([once(out, 'drain'), closed]);
  };
  try {
    const manifest = await writeExport({ pool, eventStore }, write, options);
    out.end();
    await closed;
    // Unlike a rename, this refuses to replace a file that came up meanwhile
    await link(partial, file);
    return manifest;
  } finally {
    out.destroy();
    await rm(partial, { force: true });
  }
}

async function writeExport(
  { pool, eventStore }: { pool: Pool; eventStore: EventStore },
  write: (line: string) => Promise<void>,
  { key, now, onProblem, onProgress }: ExportOptions,
): Promise<Manifest> {
  const startedAt = now().toISOString();
  const tree = new MerkleRoot();
  const soFar = { accounts: 0, events: 0 };
  const add = async (line: JsonObject): Promise<void> => {
    const text = canonicalJson(line);
    tree.add(text);
    await write(text);
  };
  let last: string | null = null;
  let streams: string[];
  do {
    streams = await listStreams(pool, ACCOUNT_STREAM_PREFIX, last, PAGE);
    for (const stream of streams) {
      const audit = new AccountAudit(stream, onProblem);
      for await (const stored of eventsOf(eventStore, stream)) {
        audit.add(stored);
        const { version, id, type, data, metadata } = stored;
        await add({ event: { stream, version, id, type, data, metadata } });
      }
      await add({ head: { stream, version: audit.version, hash: audit.head } });
      soFar.accounts += 1;
      soFar.events += audit.events;
      onProgress?.(soFar);
    }
    last = streams.at(-1) ?? null;
  } while (streams.length === PAGE);

  const manifest: Manifest = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    startedAt,
    endedAt: now().toISOString(),
    streams: soFar.accounts,
    events: soFar.events,
    merkleRoot: tree.root(),
    keyFingerprint: fingerprintOf(key),
  };
  const signature = signText(canonicalJson({ ...manifest }), key);
  await write(canonicalJson({ manifest: { ...manifest }, signature }));
  return manifest;
}

export interface ExportedBalance {
  readonly userId: string;
  readonly version: number;
  /** Spendable at the start of the export, by the events in the file. */
  readonly balance: KindTotals;
  readonly open: number;
}

export interface ExportVerification {
  /** Null when the file has none that can be read. */
  readonly manifest: Manifest | null;
  readonly accounts: number;
  readonly events: number;
  readonly problems: number;
}

/**
 * Proves with the public key alone that an export is whole and untampered, and recomputes every balance from it. Reads the
 * file twice, a line at a time: the signed manifest at its end says as of when balances are meant.
 */
export async function verifyExport(
  file: string,
  publicKey: KeyObject,
  onProblem: (problem: LedgerProblem) => void,
  onBalance: (balance: ExportedBalance) => void,
): Promise<ExportVerification> {
  let problems = 0;
  const note = (problem: LedgerProblem): void => {
    problems += 1;
    onProblem(problem);
  };
  const complain = (what: string, stream = '*'): void => note({ stream, version: null, kind: 'export', what });

  const lastLine = await lastLineOf(file);
  const signed = parseManifest(lastLine);
  if (!signed) complain('The file does not end with a manifest: its end is missing, or it is no export.');
  else if (!isSignedBy(canonicalJson({ ...signed.manifest }), signed.signature, publicKey)) {
    const by = signed.manifest.keyFingerprint === fingerprintOf(publicKey) ? 'does not fit' : 'is of another key';
    complain(`The signature ${by}: the manifest was changed, or somebody else signed it.`);
  }
  const at = signed ? Date.parse(signed.manifest.startedAt) : Number.POSITIVE_INFINITY;

  const tree = new MerkleRoot();
  let accounts = 0;
  let events = 0;
  let audit: AccountAudit | null = null;
  let lastStream = '';
  let ended = false;
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
        if (Buffer.compare(Buffer.from(stream), Buffer.from(lastStream)) <= 0) {
          complain('The stream stands in the wrong place, or a second time.', stream);
        }
        audit = new AccountAudit(stream, note);
        lastStream = stream;
      }
      audit.add(parsed.event);
      events += 1;
    } else if (parsed?.head && audit) {
      const { stream, version, hash } = parsed.head;
      if (stream !== audit.stream || version !== audit.version || hash !== audit.head) {
        complain('The head of the stream is not its last event.', stream);
      }
      accounts += 1;
      const userId = userOfStream(stream);
      onBalance({ userId, version: audit.version, balance: audit.spendableAt(at), open: audit.openCredits });
      audit = null;
    } else complain('A line is neither an event, nor a head in its place, nor the manifest.');
  }
  if (audit) complain('The stream has no head.', audit.stream);
  const manifest = signed?.manifest ?? null;
  if (manifest && manifest.streams !== accounts) {
    complain(`The manifest counts ${manifest.streams} streams, and the file has ${accounts}.`);
  }
  if (manifest && manifest.events !== events) {
    complain(`The manifest counts ${manifest.events} events, and the file has ${events}.`);
  }
  if (manifest && manifest.merkleRoot !== tree.root()) {
    complain('The Merkle root of the lines is not that of the manifest: lines were changed, dropped, added or moved.');
  }
  return { manifest, accounts, events, problems };
}

interface Line {
  readonly event?: StoredEvent;
  readonly head?: { readonly stream: string; readonly version: number; readonly hash: string | null };
  readonly manifest?: unknown;
}

/** Null for what is no line of an export; what an event says is for the audit to judge. */
function parseLine(line: string): Line | null {
  const parsed = parseObject(line) as Line | null;
  if (!parsed || !('event' in parsed)) return parsed;
  const { stream, version, data, metadata } = (parsed.event ?? {}) as Partial<StoredEvent>;
  const whole = typeof stream === 'string' && Number.isSafeInteger(version) && isObject(data) && isObject(metadata);
  return whole ? parsed : null;
}

function parseManifest(line: string): { manifest: Manifest; signature: string } | null {
  const parsed = parseObject(line) as { manifest?: Manifest; signature?: string } | null;
  if (!parsed || !isObject(parsed.manifest) || typeof parsed.signature !== 'string') return null;
  const { manifest, signature } = parsed;
  if (manifest.format !== FORMAT || manifest.formatVersion !== FORMAT_VERSION) return null;
  try {
    // Nothing may stand in the line that the signature does not cover
    return line === canonicalJson({ manifest: { ...manifest }, signature }) ? { manifest, signature } : null;
  } catch (error) {
    if (isNamed(error, 'TypeError')) return null;
    throw error;
  }
}

function parseObject(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch (error) {
    if (isNamed(error, 'SyntaxError')) return null;
    throw error;
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As bytes, since it is bytes that are proven. Lines end with a line feed and nothing else. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

const LF = 0x0a;

/** How much of the end of a file is read for its last line; a manifest is far shorter. */
const TAIL = 16_384;

async function lastLineOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new ExportError(`The file ${file} cannot be read.`, { cause: error });
  });
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, TAIL);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8').replace(/\n$/, '').split('\n').at(-1) ?? '';
  } finally {
    await handle.close();
  }
}
