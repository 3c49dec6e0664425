import { describe, expect, it } from '@jest/globals';
import { type DeductionRecord } from './account-audit.js';
import { type Charge, chargeMismatch } from './generation-charges.js';

const ID = '019cd6b8-1c00-7000-8000-000000000001';
/** An hour after the id was made. */
const CLOSED_AT = Date.parse('2026-03-10T10:00:00Z');

const charge: Charge = {
  userId: 'fan',
  deductionId: ID,
  creatorId: 'mira',
  amount: 10,
  state: 'delivered',
  creatorUserId: 'creator',
  isTest: false,
  trialIsLogged: null,
  content: null,
  closedAt: CLOSED_AT,
};
const deduction: DeductionRecord = { amount: 10, creatorId: 'mira', ownGeneration: false, outcome: 'settled' };

describe('chargeMismatch', () => {
  it.each<[string, Partial<Charge>, Partial<DeductionRecord> | null, string | null]>([
    ['a delivered image that is settled', {}, {}, null],
    ['an image that is not finished', { state: 'open', closedAt: null }, { outcome: 'open' }, null],
    ['an image that was refunded', { state: 'returned' }, { outcome: 'refunded' }, null],
    ['an id that was voided', { state: 'nothing' }, { outcome: 'voided', amount: 0, creatorId: null }, null],
    [
      'an id that the ledger refused as too old',
      { state: 'nothing', closedAt: CLOSED_AT + 30 * 86_400_000 },
      null,
      null,
    ],
    ['an image of a creator without an identity', { creatorUserId: null }, { ownGeneration: true }, null],
    ['an image without an owner in its event', { creatorUserId: 'fan' }, { ownGeneration: null }, null],
    ['an own image', { creatorUserId: 'fan' }, { ownGeneration: true }, null],
    [
      'an image that is stuck',
      { state: 'stuck', closedAt: null },
      { outcome: 'open' },
      `Generation ${ID} has been open for too long; its credits are open.`,
    ],
    [
      'an image that failed and keeps the credits',
      { state: 'nothing' },
      { outcome: 'settled' },
      `Generation ${ID} failed before its deduction, but its credits are settled.`,
    ],
    [
      'a delivered image that is refunded',
      {},
      { outcome: 'refunded' },
      `Generation ${ID} was delivered, but its credits are refunded.`,
    ],
    ['a delivered image that is free', {}, null, `Generation ${ID} was delivered, but its credits are not deducted.`],
    [
      'a refunded image that is settled',
      { state: 'returned' },
      {},
      `Generation ${ID} was refunded, but its credits are settled.`,
    ],
    [
      'another price',
      {},
      { amount: 9 },
      `Generation ${ID} costs 10 credits for creator mira, but its deduction took 9 for mira.`,
    ],
    [
      'another creator',
      {},
      { creatorId: 'juno' },
      `Generation ${ID} costs 10 credits for creator mira, but its deduction took 10 for juno.`,
    ],
    [
      'an own image that is charged as another one',
      { creatorUserId: 'fan' },
      {},
      `Generation ${ID} was deducted as the image of another user than creator mira, but the identity of the creator says otherwise.`,
    ],
    [
      'an image that is charged as an own one',
      {},
      { ownGeneration: true },
      `Generation ${ID} was deducted as an own generation of creator mira, but the identity of the creator says otherwise.`,
    ],
  ])('judges %s', (_name, generation, taken, problem) => {
    expect(chargeMismatch({ ...charge, ...generation }, taken ? { ...deduction, ...taken } : undefined)).toBe(problem);
  });

  it.each<[string, Partial<Charge>, DeductionRecord | undefined, string | null]>([
    ['a test of the creator', { userId: 'creator' }, undefined, null],
    ['a test of a creator without an identity', { creatorUserId: null }, undefined, null],
    ['a trial picture', { userId: 'trial:mira', trialIsLogged: true }, undefined, null],
    [
      'a test that took credits',
      { userId: 'creator' },
      deduction,
      `Generation ${ID} is a free test, but its credits are settled.`,
    ],
    [
      'a test by another user',
      {},
      undefined,
      `Generation ${ID} is a test of creator mira, but its maker is not this creator.`,
    ],
    [
      'a test that is stuck',
      { userId: 'creator', state: 'stuck' },
      undefined,
      `Generation ${ID} is a test that has been open for too long.`,
    ],
    [
      'a trial picture of another creator',
      { userId: 'trial:juno', trialIsLogged: true },
      undefined,
      `Generation ${ID} is a trial picture of another creator than mira.`,
    ],
    [
      'a trial picture without an act',
      { userId: 'trial:mira', trialIsLogged: false },
      undefined,
      `Generation ${ID} is a trial picture, but the log has no act of an admin.`,
    ],
  ])('judges %s', (_name, generation, taken, problem) => {
    expect(chargeMismatch({ ...charge, isTest: true, ...generation }, taken)).toBe(problem);
  });
});
