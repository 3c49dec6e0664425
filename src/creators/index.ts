/** Other contexts send these commands and queries through the buses. */
export { AddApprovedCreator } from './use-cases/add-approved-creator.js';
export { type Creator } from './reads/creator.js';
export { GetCreator } from './reads/get-creator.js';
export { GetCreatorByModel } from './reads/get-creator-by-model.js';
export { GetCreatorProfile } from './reads/get-creator-profile.js';
export { GetCreators } from './reads/get-creators.js';
export { GetPublicCreators } from './reads/get-public-creators.js';
