import { inspectImage, UnreadableImageError } from '../../platform/media/images.js';

/** The address will never give a usable image. */
export class OutputUnusableError extends Error {
  override readonly name = 'OutputUnusableError';
}

/** Fetching the image failed now; a retry may succeed. */
export class OutputUnavailableError extends Error {
  override readonly name = 'OutputUnavailableError';
}

export interface FetchLimits {
  /**
   * `host` or `host:port` as in a URL; `*.example.com` matches every host below `example.com`. An origin such as
   * `http://172.18.0.1:3100` is allowed without https: sandboxes in a process of their own.
   */
  readonly allowedHosts: readonly string[];
  readonly maxBytes: number;
  /** Limit of the whole transfer. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 3;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Fetches a provider's image. Connects only to allowed hosts, also after redirects, and only by https except to this
 * machine. Stops reading at the size limit. Checks the bytes, not the headers, for the image format.
 * @throws OutputUnusableError permanently: not allowed, gone, too large, not an image
 * @throws OutputUnavailableError temporarily: no connection, timeout, an error of the server
 */
export async function fetchOutput(url: string, limits: FetchLimits): Promise<Buffer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const response = await open(url, limits, signal);
  const bytes = await read(response, limits.maxBytes);
  try {
    await inspectImage(bytes);
  } catch (error) {
    if (error instanceof UnreadableImageError) throw new OutputUnusableError(error.message, { cause: error });
    throw error;
  }
  return bytes;
}

async function open(start: string, limits: FetchLimits, signal: AbortSignal): Promise<Response> {
  let url = allowed(start, limits.allowedHosts);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await attempt(() => fetch(url, { redirect: 'manual', signal }));
    if (response.ok) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      url = allowed(location, limits.allowedHosts, url);
      continue;
    }
    const temporary = response.status >= 500 || [408, 425, 429].includes(response.status);
    const message = `The output's address answered ${response.status}.`;
    throw temporary ? new OutputUnavailableError(message) : new OutputUnusableError(message);
  }
  throw new OutputUnusableError('The output is redirected too often.');
}

function allowed(address: string, hosts: readonly string[], base?: URL): URL {
  if (!URL.canParse(address, base)) throw new OutputUnusableError('The output has no valid address.');
  const url = new URL(address, base);
  const known = hosts.some((host) => (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host));
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  const isAllowed = (known && safe) || hosts.includes(url.origin);
  if (!isAllowed || url.username !== '' || url.password !== '') {
    throw new OutputUnusableError(`Outputs are not fetched from ${url.protocol}//${url.host}.`);
  }
  return url;
}

async function read(response: Response, maxBytes: number): Promise<Buffer> {
  const tooLarge = new OutputUnusableError(`The output is larger than ${maxBytes} bytes.`);
  const body = response.body;
  if (body === null) throw new OutputUnusableError('The output is empty.');
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await body.cancel();
    throw tooLarge;
  }
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await attempt(() => reader.read());
    if (done) return Buffer.concat(chunks);
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge;
    }
    chunks.push(value);
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new OutputUnavailableError('The output could not be fetched.', { cause: error });
  }
}
