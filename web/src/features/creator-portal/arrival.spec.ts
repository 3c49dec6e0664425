import { describe, expect, it } from '@jest/globals';
import { afterAcceptance, afterApplication, afterSignUp, arrivalOf, asCreator } from './arrival.js';

const NOTHING = {
  source: null,
  flowType: null,
  userId: null,
  formData: null,
  acceptedAt: null,
  applyAgain: false,
};
const formData = { name: 'Nadia Voss', instagram: '@nadia.voss' };

describe('navigation state of the creator portal', () => {
  it('[C2.29, C4.12] carries each way to the terms', () => {
    expect(arrivalOf(afterSignUp('user_1'))).toEqual({
      ...NOTHING,
      source: 'signup',
      flowType: 'new_user',
      userId: 'user_1',
    });
    expect(arrivalOf(afterApplication(formData, { clerkId: 'user_1', email: 'n@v.example' }))).toEqual({
      ...NOTHING,
      source: 'application',
      flowType: 'existing_user',
      userId: 'user_1',
      formData,
    });
    expect(arrivalOf(asCreator)).toEqual({ ...NOTHING, flowType: 'existing_creator' });
  });

  it('[C4.12] carries the acceptance to the portal', () => {
    expect(afterAcceptance('new_user', 1_000)).toEqual({
      termsJustAccepted: true,
      timestamp: 1_000,
      flowType: 'new_user',
    });
    expect(arrivalOf(afterAcceptance('new_user', 1_000))).toEqual({
      ...NOTHING,
      flowType: 'new_user',
      acceptedAt: 1_000,
    });
  });

  it('ignores other shapes', () => {
    const broken = { flowType: 'admin', source: 1, formData: { name: 'x' }, termsJustAccepted: 'yes', timestamp: 1 };
    for (const state of [null, undefined, 'text', 7, broken]) expect(arrivalOf(state)).toEqual(NOTHING);
  });
});
