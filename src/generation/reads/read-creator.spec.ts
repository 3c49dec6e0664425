import { describe, expect, it } from '@jest/globals';
import { creatorForGeneration } from './read-creator.js';

describe('creatorForGeneration', () => {
  it('[F8.11] says that the creator could not be accessed, and that trying again may help', async () => {
    const cause = new Error('connection lost: secret-host');
    const asked = creatorForGeneration({ execute: () => Promise.reject(cause) }, 'c1');
    await expect(asked).rejects.toMatchObject({
      status: 503,
      message: 'Failed to access creator for generation: please try again in a moment.',
      retryAfterSeconds: 5,
      cause,
    });
  });

  it('gives what there is', async () => {
    await expect(creatorForGeneration({ execute: () => Promise.resolve(null as never) }, 'c1')).resolves.toBeNull();
  });
});
