const INSTANT = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Parses an ISO 8601 instant: a day, meaning its first instant in UTC, or a day and a time with an offset. Returns null
 * for anything else: a time without an offset is ambiguous, and 30 February does not exist.
 */
export function parseInstant(text: string): Date | null {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  const instant = new Date(text);
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return exists && !Number.isNaN(instant.getTime()) ? instant : null;
}
