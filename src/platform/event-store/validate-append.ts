import { isUuid } from '../ids.js';
import type { Json } from '../json.js';
import { type NewEvent, InvalidEventError, NO_STREAM } from './event-store.js';

const MAX_NAME_LENGTH = 500;
/** Postgres cannot store it. */
const NUL = '\u0000';

/**
 * Refuses input that no adapter accepts: no events, an invalid stream name, version, id or type, a repeated id, or data
 * that does not survive JSON or a database unchanged.
 * @throws InvalidEventError
 */
export function validateAppend(stream: string, expectedVersion: number, events: readonly NewEvent[]): void {
  if (!isName(stream))
    throw new InvalidEventError('The name of a stream is text of 1 to 500 characters and does not begin with $.');
  if (!Number.isSafeInteger(expectedVersion) || expectedVersion < NO_STREAM) {
    throw new InvalidEventError(`The expected version is ${NO_STREAM} or a version, not ${expectedVersion}.`);
  }
  if (events.length === 0) throw new InvalidEventError(`There is nothing to append to ${stream}.`);
  const ids = events.length > 1 ? new Set<string>() : null;
  for (const { id, type, data, metadata, json } of events) {
    if (!isUuid(id)) throw new InvalidEventError(`The id of an event for ${stream} is not a UUID.`);
    if (ids?.has(id.toLowerCase())) throw new InvalidEventError(`The event ${id} is twice in a batch for ${stream}.`);
    ids?.add(id.toLowerCase());
    if (!isName(type))
      throw new InvalidEventError('The type of an event is text of 1 to 500 characters and does not begin with $.');
    // Serialising to the canonical form has refused everything except NUL
    if (json && !mayHaveNul(json.data) && !mayHaveNul(json.metadata)) continue;
    const wrong = !isStorableObject(data) ? 'data' : !isStorableObject(metadata) ? 'metadata' : null;
    if (wrong) {
      throw new InvalidEventError(`The ${wrong} of a ${type} event for ${stream} is not an object of storable JSON.`);
    }
  }
}

/** Names that begin with `$` are reserved by EventStoreDB. */
function isName(text: string): boolean {
  const fits = typeof text === 'string' && text.length > 0 && text.length <= MAX_NAME_LENGTH;
  return fits && !text.startsWith('$') && isStorableText(text);
}

/** Lone surrogates are not text. */
function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes(NUL);
}

/** Whether the JSON text may contain NUL. */
function mayHaveNul(json: string): boolean {
  return json.includes('\\u0000');
}

function isStorableObject(value: Json): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && isStorable(value);
}

function isStorable(value: Json): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isStorable);
  const prototype: unknown = Object.getPrototypeOf(value);
  // A Date or a Map would not survive the round trip.
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    if (!isStorableText(key) || !isStorable(value[key] as Json)) return false;
  }
  return true;
}
