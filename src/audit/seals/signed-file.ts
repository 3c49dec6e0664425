import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { type KeyObject } from 'node:crypto';
import { canonicalJson } from '../../platform/event-store/hash-chain.js';
import { type JsonObject } from '../../platform/json.js';
import { draftOf } from '../../platform/whole-files.js';
import { fingerprintOf, isSignedBy, signText } from './signing-key.js';

/**
 * The file format of exports and seals: JSON lines, each canonical (RFC 8785) and ended by a line feed. The last line
 * is `{"manifest":{...},"signature":"..."}`.
 */

/** A file exists already, or cannot be read or written. The message is a sentence. */
export class LedgerFileError extends Error {}

/** The fields of every manifest. The signature covers the whole manifest. */
export interface SignedManifest {
  readonly format: string;
  readonly formatVersion: number;
  /** Everything that was stored before this instant is covered. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly streams: number;
  /** Number of events in the file, or that its heads cover. */
  readonly events: number;
  /** Merkle root of all lines before the manifest, without line ends. */
  readonly merkleRoot: string;
  /** SHA-256 of the public key. */
  readonly keyFingerprint: string;
}

/** The last line of a file: a manifest with its signature. */
export function signedLine(manifest: JsonObject, key: KeyObject): string {
  return canonicalJson({ manifest, signature: signText(canonicalJson(manifest), key) });
}

/** Parses a signed line of this format; null when it is none. `signatureProblem` checks the signature. */
export function parseSignedLine<Manifest extends SignedManifest>(
  line: string,
  format: string,
  formatVersion: number,
): { manifest: Manifest; signature: string } | null {
  const parsed = parseObject(line) as { manifest?: Manifest; signature?: string } | null;
  if (!parsed || !isObject(parsed.manifest) || typeof parsed.signature !== 'string') return null;
  const { manifest, signature } = parsed;
  if (manifest.format !== format || manifest.formatVersion !== formatVersion) return null;
  try {
    // The line must contain nothing that the signature does not cover.
    return line === canonicalJson({ manifest: manifest as object as JsonObject, signature })
      ? { manifest, signature }
      : null;
  } catch (error) {
    if (isNamed(error, 'TypeError')) return null;
    throw error;
  }
}

/** Returns null when one of these keys made the signature, else the problem as a sentence. */
export function signatureProblem(
  { manifest, signature }: { readonly manifest: SignedManifest; readonly signature: string },
  publicKeys: readonly KeyObject[],
): string | null {
  const text = canonicalJson({ ...manifest });
  if (publicKeys.some((key) => isSignedBy(text, signature, key))) return null;
  const known = publicKeys.some((key) => fingerprintOf(key) === manifest.keyFingerprint);
  return `The signature ${known ? 'does not match' : 'is from another key'}: the manifest was changed, or another party signed it.`;
}

/** Writes one line, given without its line end. Resolves when the stream accepts more. */
export type WriteLine = (line: string) => Promise<void>;

/**
 * Writes a file line by line. It gets its name when it is complete, and never replaces a file.
 * @throws LedgerFileError when the file exists, or cannot be written
 */
export async function writeLines<T>(file: string, produce: (write: WriteLine) => Promise<T>): Promise<T> {
  const taken = (): LedgerFileError => new LedgerFileError(`The file ${file} exists already.`);
  if (existsSync(file)) throw taken();
  const partial = draftOf(file);
  const out = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
  const closed = once(out, 'close');
  // The next await of `closed` or `write` throws an error of opening or writing.
  closed.catch(() => undefined);
  try {
    const result = await produce(async (line) => {
      if (!out.write(`${line}\n`)) await Promise.race([once(out, 'drain'), closed]);
    });
    out.end();
    await closed;
    // Unlike a rename, a link never replaces a file that was created meanwhile.
    await link(partial, file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? taken() : error;
    });
    return result;
  } catch (error) {
    if (error !== out.errored) throw error;
    throw new LedgerFileError(`The file ${file} cannot be written: ${(error as Error).message}.`, { cause: error });
  } finally {
    out.destroy();
    await rm(partial, { force: true });
  }
}

/** The object of a JSON text; null when it has none. */
export function parseObject(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch (error) {
    if (isNamed(error, 'SyntaxError')) return null;
    throw error;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** The lines as bytes, because the proof covers bytes. Only a line feed ends a line. */
export async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LF_BYTE); end >= 0; end = chunk.indexOf(LF_BYTE, start)) {
      const line = chunk.subarray(start, end);
      yield rest.length > 0 ? Buffer.concat([...rest, line]) : line;
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

const LF_BYTE = 0x0a;

/** Bytes read from the end of a file to find its last line. A manifest is far shorter. */
const TAIL_BYTES = 16_384;

/** @throws LedgerFileError when the file cannot be read */
export async function lastLineOf(file: string): Promise<string> {
  return lastLineIn(await tailOf(file));
}

/** The last line of the content of a file of lines, or of its end. */
export function lastLineIn(tail: string): string {
  return tail.replace(/\n$/, '').split('\n').at(-1) ?? '';
}

/** The end of the content of a file, which has its last line. */
export function tailIn(content: Buffer): string {
  return content.subarray(Math.max(0, content.length - TAIL_BYTES)).toString('utf8');
}

/** Whether the last line of a file has its line feed. @throws LedgerFileError when the file cannot be read */
export async function isEnded(file: string): Promise<boolean> {
  return (await tailOf(file)).endsWith('\n');
}

async function tailOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new LedgerFileError(`The file ${file} cannot be read.`, { cause: error });
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new LedgerFileError(`${file} is not a file.`);
    const { size } = stats;
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

/** Compares by the bytes of the UTF-8 forms: the order of streams in event stores and files. */
export function compareNames(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
