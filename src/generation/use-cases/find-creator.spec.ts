import { describe, expect, it } from '@jest/globals';
import { findCreator } from './find-creator.js';

describe('findCreator', () => {
  it('[F8.11] asks the fan to try again when the lookup fails', async () => {
    const cause = new Error('connection lost: secret-host');
    const lookup = findCreator({ execute: () => Promise.reject(cause) }, { creator: 'c1', userId: 'user_1' });
    await expect(lookup).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'Failed to access creator for generation: please try again in a moment.',
      retryAfterSeconds: 5,
      cause,
    });
  });

  it('returns null when the creator does not exist', async () => {
    const queries = { execute: () => Promise.resolve(null as never) };
    await expect(findCreator(queries, { creator: 'c1', userId: 'user_1' })).resolves.toBeNull();
  });
});
