import { actIdOf } from '../../platform/acts/acts.js';

/** The id of the payout of a creator in a run: the same each time, so a repeated run drafts nothing twice. */
export function payoutIdOf(runId: string, creatorId: string): string {
  return actIdOf('payout', runId, creatorId);
}

/** The reference that a transfer carries: the payout's id in 33 characters. Banks allow 35. */
export function referenceOf(payoutId: string): string {
  return `F${payoutId.replaceAll('-', '').toUpperCase()}`;
}

/** The payout of a reference; null for any other text. */
export function payoutOfReference(reference: string): string | null {
  const hex = /^F([0-9A-F]{32})$/.exec(reference.trim().toUpperCase())?.[1]?.toLowerCase();
  if (hex === undefined) return null;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
