import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { creatorTermsText } from '../contract/creator-terms.js';
import { consentRow, storedUserAgent } from './consent.js';

describe('storedUserAgent', () => {
  it('[C9.06] returns at most 1000 characters, and "unknown" for none', () => {
    expect(storedUserAgent('x'.repeat(5_000))).toBe('x'.repeat(1_000));
    expect([storedUserAgent(undefined), storedUserAgent('  ')]).toEqual(['unknown', 'unknown']);
  });
});

describe('consentRow', () => {
  const act = { id: 'id', userId: 'user_1', at: new Date(), context: 'application' } as const;

  it('[C3.04] gives an acceptance the version and the hash of the exact text', () => {
    const acceptance = { termsUrl: 'url', method: 'method', statement: 'words', userAgent: '', email: 'a@b.test' };
    expect(consentRow({ ...act, kind: 'accepted', acceptance })).toMatchObject({
      terms_version: 'v1.0',
      terms_sha256: createHash('sha256').update(creatorTermsText()).digest('hex'),
      accepted_text_snapshot: 'words',
      user_agent: 'unknown',
      email: 'a@b.test',
    });
  });

  it('gives a withdrawal no terms', () => {
    expect(consentRow({ ...act, kind: 'withdrawn' })).toMatchObject({ terms_version: null, terms_sha256: null });
  });
});
