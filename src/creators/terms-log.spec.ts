import { describe, expect, it } from '@jest/globals';
import { readTermsLog, type TermsLog } from './terms-log.js';

const caller = { userId: 'user_1', userAgent: 'Browser' };
const log = {
  userId: 'user_1',
  email: 'juno@fans.test',
  termsVersion: 'v1.0',
  termsUrl: 'http://localhost:3000/creator-terms',
  method: 'creator_application_form',
  statement: 'I accept the Creator Terms of Use v1.0.',
};
const read = (changes: TermsLog): unknown => readTermsLog({ ...log, ...changes }, caller);

describe('readTermsLog', () => {
  it('returns the acceptance, with the user agent of the log or of the request', () => {
    const { termsUrl, method, statement, email } = log;
    const acceptance = { version: 'v1.0', termsUrl, method, statement, email };
    expect(read({})).toEqual({ ...acceptance, userAgent: 'Browser' });
    expect(read({ userAgent: 'Phone' })).toEqual({ ...acceptance, userAgent: 'Phone' });
  });

  it.each(['userId', 'email', 'termsVersion', 'termsUrl', 'method', 'statement'])('[C5.06] requires %s', (field) => {
    expect(() => read({ [field]: undefined })).toThrow('Missing required');
  });

  it.each([
    [{ userId: '' }, 'Missing required'],
    [{ email: 'juno' }, 'Email must contain @'],
    [{ termsVersion: ' ' }, 'must not be empty'],
    [{ termsVersion: 'v0.9' }, 'Unknown terms version'],
    [{ userId: 'user_2' }, 'your own acceptance only'],
  ])('refuses %j', (changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });
});
