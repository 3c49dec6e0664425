import { describe, expect, it } from '@jest/globals';
import { APPLICATION_MESSAGES, type ApplicationForm, readApplication } from './application-form.js';

const form = { email: 'juno@fans.test', name: 'Juno Abara', instagram: '@juno.abara_1', termsAgreed: true };
const refusal = (changes: ApplicationForm): string => {
  try {
    readApplication({ ...form, ...changes });
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('readApplication', () => {
  it('returns a valid application without outer spaces', () => {
    const spaced = { ...form, email: ' juno@fans.test ', name: ' Juno \n Abara ', instagram: ' @juno.abara_1 ' };
    expect(readApplication(spaced)).toEqual({
      email: 'juno@fans.test',
      name: 'Juno Abara',
      instagram: '@juno.abara_1',
    });
  });

  it.each(['email', 'name', 'instagram', 'termsAgreed'])('[C5.04] refuses an application without %s', (field) => {
    expect(refusal({ [field]: undefined })).toBe('Missing required creator data fields');
    expect(refusal({ [field]: null })).toBe('Missing required creator data fields');
  });

  it.each([
    [{ email: 'juno' }, APPLICATION_MESSAGES.email],
    [{ name: '' }, 'Name is required'],
    [{ name: ' \u200b\u3164\t ' }, 'Name is required'],
    [{ name: 'x'.repeat(101) }, APPLICATION_MESSAGES.nameTooLong],
    [{ instagram: ' ' }, 'Instagram handle is required'],
    [{ instagram: 'juno' }, 'Instagram handle must start with @'],
    [{ termsAgreed: false }, APPLICATION_MESSAGES.terms],
  ])('[C5.03] refuses %j', (changes, message) => {
    expect(refusal(changes)).toBe(message);
  });

  it('checks in the order of the spec', () => {
    const all = { email: 'juno', name: '', instagram: '', termsAgreed: false };
    expect(refusal(all)).toBe(APPLICATION_MESSAGES.email);
    expect(refusal({ ...all, email: form.email })).toBe('Name is required');
    expect(refusal({ ...all, email: form.email, name: 'Juno' })).toBe('Instagram handle is required');
    expect(refusal({ instagram: '@juno', termsAgreed: false })).toBe(APPLICATION_MESSAGES.terms);
  });

  it.each([
    ['a Cyrillic letter', '@jun\u043e'],
    ['a Greek letter', '@j\u03bfuno'],
    ['a fullwidth letter', '@\uff4auno'],
    ['a zero-width character', '@ju\u200bno'],
    ['a combining mark', '@jun\u006f\u0301'],
    ['a letter that lower case maps to ASCII', '@\u212auno'],
    ['a hyphen', '@sign-in'],
    ['a slash', '@juno/generate'],
    ['a second line', '@juno\n@other'],
    ['no letter or digit', '@._.'],
    ['31 characters', `@${'a'.repeat(31)}`],
    ['only the @', '@'],
  ])('refuses a handle with %s', (_, instagram) => {
    expect(refusal({ instagram })).toBe(APPLICATION_MESSAGES.instagramLetters);
  });

  it('removes characters from a name that would hide or turn around other text', () => {
    expect(readApplication({ ...form, name: 'Juno\u202e\u2066 Abara\ufeff' }).name).toBe('Juno Abara');
  });
});
