import { csvLine as line, dollars } from '../platform/csv.js';
import { type EarningItem } from './reads/creator-earnings.js';

/** The columns of the CSV, in order. */
const COLUMNS: readonly (readonly [string, (item: EarningItem) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['image_id', ({ generation_id: generationId }) => generationId],
  ['occurred_at', ({ occurred_at: occurredAt }) => occurredAt],
  ['paid_credits', ({ paid }) => paid.reduce((sum, { credits }) => sum + credits, 0)],
  ['free_credits', ({ free_credits: freeCredits }) => freeCredits],
  ['fan_paid_usd', ({ paid }) => dollars(paid.reduce((sum, { cents }) => sum + cents, 0))],
  ['creator_usd', ({ creator_cents: creatorCents }) => dollars(creatorCents)],
  ['payable_at', ({ payable_at: payableAt }) => payableAt],
  ['reason', ({ cause }) => cause],
];

/** The first line, with its line end. */
export const CSV_HEADER = line(COLUMNS.map(([name]) => name));

/** A line of RFC 4180. */
export function csvLine(item: EarningItem): string {
  return line(COLUMNS.map(([, value]) => value(item)));
}
