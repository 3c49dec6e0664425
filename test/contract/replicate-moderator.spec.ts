import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReplicateModerator } from '../../src/generation/moderation/replicate-moderator.js';
import { RuleModerator } from '../../src/generation/moderation/rule-moderator.js';
import { ReplicateServer } from '../support/replicate-server.js';

const MODEL = 'meta/llama-guard-4-12b';
const VERSION = `acme/llama-guard:${'b'.repeat(64)}`;

describe('ReplicateModerator with the SDK and the sandbox', () => {
  let replicate: ReplicateServer;
  const moderator = (model = MODEL) => new ReplicateModerator(new RuleModerator(), replicate.settings, model);

  beforeAll(async () => {
    replicate = await ReplicateServer.start();
  });
  afterAll(() => replicate.close());

  it.each([MODEL, VERSION])('accepts a prompt that %s calls safe', async (model) => {
    expect(await moderator(model).moderate('a fox in the snow')).toEqual({ category: null });
  });

  it.each([
    [4, 'minors'],
    [12, 'sexual'],
    [10, 'hate'],
    [11, 'self_harm'],
    [7, 'real_people'],
    [6, null],
  ])('maps hazard S%i to %s', async (hazard, category) => {
    expect(await moderator().moderate(`a fox [[unsafe:${hazard}]]`)).toEqual({ category });
  });

  it('does not ask the classifier about a prompt that the rules refuse', async () => {
    const before = (await replicate.sdk.predictions.list()).results.length;
    expect(await moderator().moderate('a nude fox hunter')).toEqual({ category: 'sexual' });
    expect((await replicate.sdk.predictions.list()).results).toHaveLength(before);
  });

  it.each(['corrupt', 'no-output', 'fail', 'http-500', 'rate-limit', 'drop-response'])(
    'fails closed when the classifier answers with %s',
    async (fault) => {
      await expect(moderator().moderate(`a fox [[${fault}]]`)).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'Failed to start image generation',
      });
    },
  );

  it('fails closed during an outage', async () => {
    replicate.sandbox.outage(true);
    try {
      await expect(moderator().moderate('a fox')).rejects.toMatchObject({ kind: 'unavailable' });
    } finally {
      replicate.sandbox.outage(false);
    }
  });
});
