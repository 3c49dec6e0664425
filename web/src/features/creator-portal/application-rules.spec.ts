import { describe, expect, it } from '@jest/globals';
import { checks, isCreatorSignUp, recordedUserAgent, signUpMetadata, signUpProblem } from './application-rules.js';

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

  it.each([
    [{ code: 'form_identifier_exists' }, 'That email address is taken. Please try another.'],
    [{ code: 'form_code_incorrect' }, 'Incorrect code'],
    [
      { code: 'form_param_format_invalid', meta: { paramName: 'email_address' } },
      'Please enter a valid email address.',
    ],
    [{ code: 'form_new', meta: { paramName: 'password' } }, 'This password is not accepted. Please use another.'],
    [{ code: 'a_code_of_the_future' }, 'fallback'],
    [{ code: 'toString' }, 'fallback'],
    [{}, 'fallback'],
  ])('[C8.08] has a sentence for the refusal %j, and never shows the words of the provider', (refusal, sentence) => {
    const errors = [{ message: 'sign_up.email_address: Raw text', ...refusal }, { code: 'form_code_incorrect' }];
    expect(signUpProblem(Object.assign(new Error('outer'), { errors }), 'fallback')).toBe(sentence);
  });

  it('[C8.08] falls back for an error without refusals', () => {
    for (const error of [new TypeError('Failed to fetch'), null, 'text', { errors: [] }]) {
      expect(signUpProblem(error, 'fallback')).toBe('fallback');
    }
  });
});
