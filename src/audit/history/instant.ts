const INSTANT = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * An instant as ISO 8601 has it: a day, which means its first instant in UTC, or a day and a time with its offset. Null for
 * everything else: a time without an offset would mean another instant on every machine, and there is no 30 February.
 */
export function parseInstant(text: string): Date | null {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  const instant = new Date(text);
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return exists && !Number.isNaN(instant.getTime()) ? instant : null;
}
