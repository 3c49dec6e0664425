import { AddApprovedCreator } from '../../creators/index.js';
import { GrantBonusCredits } from '../../credits/index.js';
import { type ImageInfo } from '../../contract/media.js';
import { GENERATION_COST } from '../../contract/prices.js';
import { systemActor } from '../../platform/acts/actor.js';
import { type AccountSpec } from '../clerk/index.js';
import { DEMO_PASSWORD } from './demo-accounts.js';
import { DEMO_CREATOR_ACCOUNT, type DemoCreator } from './demo-roster.js';

/** The account with which a demo creator signs in. */
export function accountOf(creator: DemoCreator): AccountSpec {
  const [firstName = creator.name, ...rest] = creator.name.split(' ');
  const email = creator.username === DEMO_CREATOR_ACCOUNT.username ? DEMO_CREATOR_ACCOUNT.email : creator.email;
  return { email, password: DEMO_PASSWORD, firstName, lastName: rest.join(' '), publicMetadata: {} };
}

export function addingOf(creator: DemoCreator, userId: string, profile: ImageInfo): AddApprovedCreator {
  return new AddApprovedCreator({
    clerkId: userId,
    name: creator.name,
    email: creator.email,
    instagram: creator.instagram,
    twitter: creator.twitter,
    onlyfans: creator.onlyfans,
    bio: creator.bio,
    style: creator.styleLabel,
    profile,
    deploymentName: creator.deploymentName,
  });
}

/** The demo itself, as the actor of what no person does. */
export const DEMO_ACTOR = systemActor('demo-seed');

/** The credits with which a demo creator draws the pictures of the gallery. */
export const galleryGrant = (userId: string, pictures: number): GrantBonusCredits =>
  new GrantBonusCredits({
    userId,
    grantId: 'demo-gallery',
    amount: pictures * GENERATION_COST,
    by: DEMO_ACTOR,
    reason: 'Pictures of the demo gallery',
  });
