import type { StatementEntry } from '../../../../../src/contract/audit.js';

/** Credits of a lot that an event names, with the price that was paid for one of them. */
export interface Allocation {
  readonly lotId: string;
  readonly kind: string;
  /** Credits. */
  readonly amount: number;
  /** Cents; 0 for free credits. */
  readonly unitPriceCents: number;
}

/** A link of the chain of an event: an event of the statement, or a lot whose event is not loaded. */
export type ChainLink = (StatementEntry & { readonly version: number }) | { readonly lotId: string };

/** The lots that a deduction, its settlement or its refund names, in the order of spending; empty for other events. */
export function allocationsOf(data: object): readonly Allocation[] {
  const { allocations, restorations } = data as { readonly allocations?: unknown; readonly restorations?: unknown };
  const lots = allocations ?? restorations;
  return Array.isArray(lots) ? (lots as readonly Allocation[]) : [];
}

/**
 * The events from the arrival of the credits to the end of their deduction, the oldest first: those of the lots, the
 * deduction and its end. Empty for an event without a deduction.
 * @param lines the lines of the statement that are loaded
 */
export function chainOf(data: object, lines: readonly StatementEntry[]): readonly ChainLink[] {
  const { deductionId } = data as { readonly deductionId?: unknown };
  if (typeof deductionId !== 'string') return [];
  const events = lines.filter((line): line is StatementEntry & { version: number } => line.version !== null);
  const lots = [...new Set(allocationsOf(data).map(({ lotId }) => lotId))];
  const arrivals = events.filter((line) => ARRIVALS.has(line.what) && lots.includes(line.reference));
  const elsewhere = lots.filter((lotId) => !arrivals.some(({ reference }) => reference === lotId));
  const own = events.filter(({ reference }) => reference === deductionId);
  return [
    ...elsewhere.map((lotId) => ({ lotId })),
    ...[...arrivals, ...own].sort((one, other) => one.version - other.version),
  ];
}

/** Types of the events with which a lot begins. */
const ARRIVALS: ReadonlySet<string> = new Set(['CreditsGranted', 'CreditsPurchased']);
