/**
 * `Retry-After` of a 429 or 503 in seconds. The header holds seconds or an HTTP date.
 *
 * @param now milliseconds since 1970
 * @returns null for a missing or invalid header, and for an instant in the past
 */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
}
