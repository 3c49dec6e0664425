import type { LedgerSeal } from '../../../../../src/contract/audit.js';
import { readSealLine } from './seal-line.js';

/** A seal that its targets received later than this is late, milliseconds. */
const LATE_MS = 60 * 60_000;

/** Whether all targets have received a seal, and when. */
export type SealState = 'published' | 'late' | 'waiting' | 'unreadable';

export function sealState({ line, published_at: publishedAt }: LedgerSeal): SealState {
  const manifest = readSealLine(line);
  if (manifest === null) return 'unreadable';
  if (publishedAt === null) return 'waiting';
  return Date.parse(publishedAt) - Date.parse(manifest.endedAt) > LATE_MS ? 'late' : 'published';
}
