/**
 * Seconds that an answer asks us to stay away (`Retry-After` of a 429 or 503): a number of seconds, or the instant itself.
 *
 * @param now milliseconds since 1970
 * @returns null when the header says nothing, or nothing that lies ahead
 */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
}
