import { formatDay } from '../dates.js';

/** `28 January 2026, 14:06:31 UTC`: the time of a record. */
export function formatInstant(iso: string): string {
  return `${formatDay(iso)}, ${new Date(iso).toISOString().slice(11, 19)} UTC`;
}
