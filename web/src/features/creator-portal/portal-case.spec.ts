import { describe, expect, it } from '@jest/globals';
import { isNewAccount, justAccepted, mayReapply, portalCase } from './portal-case.js';

const facts = {
  signedIn: true,
  failed: false,
  creator: { creator_status: 'active', deployment_name: 'nadia-v1', lora_id: null, withdrawn_at: null },
  hadModel: false,
  termsAccepted: true,
  termsJustAccepted: false,
};
const withStatus = (creator_status: string) => ({
  creator_status,
  deployment_name: null,
  lora_id: null,
  withdrawn_at: null,
});
const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('case of the creator portal', () => {
  it.each([
    ['sign-up for a visitor', { signedIn: false }, 'sign-up'],
    ['the application without a creator record', { creator: null }, 'application'],
    ['the terms to a creator who has not accepted them', { termsAccepted: false }, 'terms'],
    ['the terms before a rejection', { creator: withStatus('rejected'), termsAccepted: false }, 'terms'],
    [
      'the status when the terms were just accepted',
      { creator: withStatus('pending'), termsAccepted: false, termsJustAccepted: true },
      'pending',
    ],
    ['the rejection', { creator: withStatus('rejected') }, 'rejected'],
    ['the review', { creator: withStatus('pending') }, 'pending'],
    ['the model training of an active creator without a model', { creator: withStatus('active') }, 'model-training'],
    ['the dashboard of a creator with a deployment', {}, 'dashboard'],
    [
      'the dashboard of a creator with a LoRA',
      { creator: { ...withStatus('active'), lora_id: 'lora-1' } },
      'dashboard',
    ],
    [
      'the dashboard of a withdrawn creator whose model was deleted',
      { creator: { ...withStatus('active'), withdrawn_at: '2026-11-20T00:00:00.000Z' } },
      'dashboard',
    ],
    [
      'the dashboard of a creator who is back without a model',
      { creator: withStatus('active'), hadModel: true },
      'dashboard',
    ],
    ['the review for an unknown status', { creator: withStatus('on_hold') }, 'pending'],
    ['the application after an error', { failed: true }, 'application'],
    ['sign-up to a visitor after an error', { failed: true, signedIn: false }, 'sign-up'],
  ] as const)(
    '[C4.01, C4.02, C4.03, C4.04, C4.05, C4.06, C4.07, C4.08, C4.09, C6.04] shows %s',
    (_, changes, expected) => {
      expect(portalCase({ ...facts, ...changes })).toBe(expected);
    },
  );
});

describe('windows of the creator portal', () => {
  it('[C4.03, C9.05] counts the terms as just accepted for 10 seconds', () => {
    expect([0, 9_999, 10_000, -1].map((age) => justAccepted(NOW - age, NOW))).toEqual([true, true, false, false]);
    expect(justAccepted(null, NOW)).toBe(false);
  });

  it('[C4.10, C9.05] counts an account as new for 5 minutes, after the sign-up, and as a new user', () => {
    const made = (age: number) => ({ createdAt: new Date(NOW - age), source: null, flowType: null });
    expect([0, 299_999, 300_000].map((age) => isNewAccount(made(age), NOW))).toEqual([true, true, false]);
    const old = { createdAt: null, source: null, flowType: null };
    expect(isNewAccount(old, NOW)).toBe(false);
    expect(isNewAccount({ ...old, source: 'signup' }, NOW)).toBe(true);
    expect(isNewAccount({ ...old, flowType: 'new_user' }, NOW)).toBe(true);
    expect(isNewAccount({ ...old, source: 'application', flowType: 'existing_user' }, NOW)).toBe(false);
  });

  it('[C4.15] lets a rejected person apply again from the given instant on', () => {
    const rejected = { creator_status: 'rejected', reapply_at: new Date(NOW).toISOString() };
    expect([NOW - 1, NOW].map((now) => mayReapply(rejected, now))).toEqual([false, true]);
    expect(mayReapply({ ...rejected, creator_status: 'pending' }, NOW)).toBe(false);
    expect(mayReapply({ ...rejected, reapply_at: null }, NOW)).toBe(false);
  });
});
