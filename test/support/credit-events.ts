import { v7 } from 'uuid';
import type { Allocation, CreditEvent } from '../../src/credits/account/events.js';

/** When the events happen that a spec writes by hand, and the end of that day. */
export const MORNING = new Date('2026-03-10T09:00:00Z');
export const MIDNIGHT = '2026-03-11T00:00:00.000Z';
/** The image of {@link deducted} and its ends. */
export const IMAGE = v7({ msecs: MORNING.getTime() });

type Data<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

/** The daily credits of that day. */
export function granted(fields: Partial<Data<'CreditsGranted'>> = {}): CreditEvent {
  const daily = { lotId: 'daily:2026-03-10', kind: 'daily', source: 'daily', expiresAt: MIDNIGHT } as const;
  return { type: 'CreditsGranted', data: { schemaVersion: 1, ...daily, amount: 10, reason: null, ...fields } };
}

/** A hundred credits at ten cents each. */
export function bought(fields: Partial<Data<'CreditsPurchased'>> = {}): CreditEvent {
  const payment = { bundleId: 'basic', paymentIntentId: null, amount: 100, amountCents: 1000, unitPriceCents: 10 };
  return { type: 'CreditsPurchased', data: { schemaVersion: 1, lotId: 'cs_1', ...payment, ...fields } };
}

/** Daily credits that an image takes or returns. */
export function dailyPart(amount: number, expiresAt = MIDNIGHT): Allocation {
  return { lotId: 'daily:2026-03-10', kind: 'daily', amount, unitPriceCents: 0, expiresAt };
}

/** Bonus credits that an image takes or returns. */
export function bonusPart(amount: number, lotId = 'signup'): Allocation {
  return { lotId, kind: 'bonus', amount, unitPriceCents: 0, expiresAt: null };
}

/** An image takes these credits. */
export function deducted(allocations: Allocation[], ownGeneration = false): CreditEvent {
  return { type: 'CreditsDeducted', data: { schemaVersion: 2, ...imageOf(allocations), ownGeneration, allocations } };
}

/** The image is delivered. */
export function settled(allocations: Allocation[], ownGeneration = false): CreditEvent {
  const unknown = { imageHash: null, promptHash: null };
  const data = { schemaVersion: 3, ...imageOf(allocations), ownGeneration, allocations, ...unknown } as const;
  return { type: 'DeductionSettled', data };
}

/** The image fails, and its credits return. */
export function refunded(restorations: Allocation[]): CreditEvent {
  const data = { schemaVersion: 1, ...imageOf(restorations), reason: 'generation_failed', restorations } as const;
  return { type: 'CreditsRefunded', data };
}

/** An image fails that took no credits. */
export function voided(deductionId = IMAGE): CreditEvent {
  return { type: 'DeductionVoided', data: { schemaVersion: 1, deductionId, reason: 'generation_failed' } };
}

/** Daily credits of that day lapse. */
export function expired(amount: number, expiresAt = MIDNIGHT): CreditEvent {
  const lot = { lotId: 'daily:2026-03-10', kind: 'daily', amount, expiresAt } as const;
  return { type: 'CreditsExpired', data: { schemaVersion: 1, ...lot } };
}

function imageOf(parts: readonly Allocation[]) {
  const amount = parts.reduce((total, part) => total + part.amount, 0);
  return { deductionId: IMAGE, creatorId: 'creator_1', amount };
}
