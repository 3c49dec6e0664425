import { VISITOR_COOKIE, type VisitorHint } from '../../../src/contract/page-data.js';

const YEAR_S = 31_536_000;

/** Stores what the next page need not show at first, for the server; null removes the hint. */
export function leaveVisitorHint(hint: VisitorHint | null): void {
  document.cookie = `${VISITOR_COOKIE}=${hint ?? ''}; path=/; max-age=${hint === null ? 0 : YEAR_S}; samesite=lax`;
}
