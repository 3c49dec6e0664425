import { dateFormat } from '../../../lib/format.js';

const DAY = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `28 January 2026, 14:06:31 UTC`: the time of a record. */
export function formatInstant(iso: string): string {
  const instant = new Date(iso);
  return `${DAY.format(instant)}, ${instant.toISOString().slice(11, 19)} UTC`;
}
