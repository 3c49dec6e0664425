import { describe, expect, it } from '@jest/globals';
import { GetOwnCreator } from '../../../creators/index.js';
import { GetTakeDown } from '../../../generation/index.js';
import { type Actor } from '../../../platform/acts/actor.js';
import { DecideModerationCase, DecideModerationCaseHandler } from './decide-moderation-case.js';

describe('DecideModerationCase', () => {
  it('refuses an admin who is the creator that asks for the take-down', async () => {
    const queries = {
      execute: (query: object) => {
        if (query instanceof GetOwnCreator) return Promise.resolve({ id: 'creator_1' });
        if (query instanceof GetTakeDown) return Promise.resolve({ creator_id: 'creator_1' });
        throw new Error('Not expected.');
      },
    };
    const dependencies = [{}, {}, queries, {}, {}, {}, {}] as unknown as ConstructorParameters<
      typeof DecideModerationCaseHandler
    >;
    const actor: Actor = { userId: 'admin_1', role: 'admin', requestId: null, address: null };
    const decision = new DecideModerationCase({ actor, kind: 'take_down', id: 'r1', decision: 'keep', note: '' });
    await expect(new DecideModerationCaseHandler(...dependencies).execute(decision)).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'You cannot decide a case about your own image.',
    });
  });
});
