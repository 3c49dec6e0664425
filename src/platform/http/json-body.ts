import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';

/** Largest body of a call in bytes, unless its route declares another limit. */
export const MAX_BODY_BYTES = 16 * 1024;

/**
 * Limits of one body's content in total, unless its route declares another one. Most requests of the contract have a
 * dozen keys and no list. Code that reads a body afterwards may take quadratic time in these numbers.
 */
export const JSON_LIMITS = { keys: 100, items: 100, depth: 8 } as const;

/** How a route receives its body. Part of its Fastify configuration; `Route` in `routes.ts` sets it. */
export interface BodyOptions {
  /** Largest body in bytes. */
  readonly maxBodyBytes?: number;
  /** Most list items in total. */
  readonly maxItems?: number;
  /** Keeps the bytes as `request.rawBody` and does not parse them: the handler verifies their signature first. */
  readonly rawBody?: boolean;
}

/**
 * Body of a provider's webhook. Events contain whole objects, such as a prediction with its log, and are parsed after
 * their signature was verified.
 */
export const WEBHOOK_BODY = { maxBodyBytes: 256 * 1024, rawBody: true } as const satisfies BodyOptions;

/** A request of a route with `rawBody`. */
export type RawBodyRequest = FastifyRequest & { readonly rawBody?: Buffer };

declare module 'fastify' {
  interface FastifyContextConfig {
    maxBodyBytes?: number;
    maxItems?: number;
    rawBody?: boolean;
  }
}

const QUOTE_BYTE = 0x22;
const BACKSLASH_BYTE = 0x5c;
const COLON_BYTE = 0x3a;
const COMMA_BYTE = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * Returns which of {@link JSON_LIMITS} a JSON text exceeds, in words for the caller; null for none. Reads each byte at
 * most once, before anything is parsed. Repeated keys count each time. A malformed text may pass: the parser refuses
 * it.
 * @param maxItems another limit of list items, where the route declares one
 */
export function findExcess(json: Uint8Array, maxItems: number = JSON_LIMITS.items): string | null {
  const isList: boolean[] = [];
  let keys = 0;
  let items = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (inString) {
      if (byte === BACKSLASH_BYTE) index += 1;
      else if (byte === QUOTE_BYTE) inString = false;
      continue;
    }
    if (byte === QUOTE_BYTE) inString = true;
    else if (byte === COLON_BYTE) keys += 1;
    else if (byte === COMMA_BYTE) items += isList.at(-1) === true ? 1 : 0;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      isList.push(byte === OPEN_LIST);
      // An empty list counts as one item, which keeps the count an upper bound.
      if (byte === OPEN_LIST) items += 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) isList.pop();

    if (isList.length > JSON_LIMITS.depth) return `The body is nested deeper than ${JSON_LIMITS.depth} levels.`;
    if (keys > JSON_LIMITS.keys) return `The body has more than ${JSON_LIMITS.keys} keys.`;
    if (items > maxItems) return `The body lists more than ${maxItems} items.`;
  }
  return null;
}

/** Parses one body. @throws (passes to `done`) ApiError 400 for an excess, Fastify's error for malformed JSON */
export type BodyParser = (
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, parsed?: unknown) => void,
) => void;

/** Creates the parser of JSON bodies. It refuses `__proto__` and `constructor.prototype` keys as Fastify does. */
export function createJsonParser(server: FastifyInstance): BodyParser {
  const parse = server.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    const { rawBody, maxItems } = request.routeOptions.config;
    if (rawBody) {
      Object.assign(request, { rawBody: body });
      done(null);
      return;
    }
    const excess = findExcess(body, maxItems);
    if (excess !== null) {
      done(new ApiError(400, 'The request is not valid.', { details: excess }));
      return;
    }
    const text = body.toString('utf8');
    const mended = HALF.test(text) ? (error: Error | null, parsed?: unknown) => done(error, wellFormed(parsed)) : done;
    void parse.call(server, request, text, mended);
  };
}

/** An escape that may be half of a character, which neither UTF-8 nor the database can hold. */
const HALF = /\\u[dD][89a-fA-F]/;

/** The same value with the replacement character for each half of a character. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
