import { AddApprovedCreator } from '../../src/creators/index.js';

/**
 * The command that adds an approved creator with a model.
 * @param handle makes the user, the address and the model unique
 */
export function addingCreator(handle: string, fields: Partial<AddApprovedCreator['input']> = {}): AddApprovedCreator {
  return new AddApprovedCreator({
    clerkId: `user_${handle}`,
    name: 'Aria Vale',
    email: `${handle}@fanvas.test`,
    instagram: `@${handle}`,
    twitter: null,
    onlyfans: null,
    bio: '',
    style: null,
    profile: null,
    deploymentName: `fanvas/${handle}`,
    ...fields,
  });
}
