import { expect, it } from '@jest/globals';
import { cursorOf, type VerificationProgress } from './verification-store.js';

it('continues the comparison of generations and of checkouts where each has ended', () => {
  const at = new Date('2026-03-10T09:00:00Z');
  const progress = { charges_until: at, charges_until_id: 'g1', purchases_until: null, purchases_until_id: null };
  expect(cursorOf(progress as VerificationProgress, 'charges')).toEqual({ at, id: 'g1' });
  expect(cursorOf(progress as VerificationProgress, 'purchases')).toBeNull();
});
