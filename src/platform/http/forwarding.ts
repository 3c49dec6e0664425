import { type IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from './loopback.js';

/** Headers that proxies, tunnels and content delivery networks add, besides `x-forwarded-*`. */
const PROXY_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-original-host',
  'true-client-ip',
  'cf-connecting-ip',
  'cdn-loop',
]);

/** Whether a request came through a proxy, so its peer is not the client and its Host may be rewritten. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => name.startsWith('x-forwarded-') || PROXY_HEADERS.has(name));
}

/**
 * Whether a request was made on this machine: its Host is a loopback name, and no proxy has carried it from elsewhere.
 * A trusted proxy is accepted when the host of the original request is a loopback name too.
 */
export function isLocalRequest(headers: IncomingHttpHeaders, trustProxy: boolean): boolean {
  if (!isLoopbackHost(headers.host)) return false;
  if (!isForwarded(headers)) return true;
  const asked = headers['x-forwarded-host'];
  return trustProxy && (asked === undefined || (typeof asked === 'string' && isLoopbackHost(asked)));
}
