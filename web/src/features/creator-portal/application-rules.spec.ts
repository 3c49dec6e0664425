import { describe, expect, it } from '@jest/globals';
import { checks, isCreatorSignUp, providerMessage, recordedUserAgent, signUpMetadata } from './application-rules.js';

describe('forms of the creator portal', () => {
  it.each([
    ['email', ' ', 'Email is required'],
    ['email', 'n@v.example', true],
    ['password', '1234567', 'Password must be at least 8 characters'],
    ['password', '12345678', true],
    ['name', ' ', 'Name is required'],
    ['name', 'Nadia', true],
    ['instagram', ' ', 'Instagram handle is required'],
    ['instagram', 'nadia', 'Instagram handle must start with @'],
    ['instagram', '@nаdia', 'Instagram handle may contain only letters a-z, digits, dots and underscores'],
    ['instagram', '@nadia.voss_9', true],
  ] as const)('[C5.01, C5.02, C9.04] checks %s %p: %s', (field, value, result) => {
    expect(checks[field](value)).toBe(result);
  });

  it('[C3.03] gives the account exactly the six fields', () => {
    const now = new Date('2026-11-22T12:00:00Z');
    const metadata = signUpMetadata(
      { name: ' Nadia Voss ', instagram: ' @nadia.voss ' },
      { now, userAgent: 'Firefox' },
    );
    expect(metadata).toEqual({
      isCreator: true,
      instagram: '@nadia.voss',
      name: 'Nadia Voss',
      signupSource: 'creator_portal',
      userAgent: 'Firefox',
      signupTimestamp: '2026-11-22T12:00:00.000Z',
    });
    expect([isCreatorSignUp(metadata), isCreatorSignUp({})]).toEqual([true, false]);
  });

  it('[C9.06] records the first 1000 characters of the user agent', () => {
    expect(recordedUserAgent('x'.repeat(1_200))).toHaveLength(1_000);
  });

  it("[C8.08] shows the provider's first message, else its own", () => {
    const errors = [{ message: 'That email address is taken.' }, { message: 'Second' }];
    expect(providerMessage(Object.assign(new Error('outer'), { errors }), 'fallback')).toBe(
      'That email address is taken.',
    );
    for (const error of [new Error('offline'), null, { errors: [] }, { errors: [{ message: '' }] }]) {
      expect(providerMessage(error, 'fallback')).toBe('fallback');
    }
  });
});
