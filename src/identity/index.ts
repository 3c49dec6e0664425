/** Other contexts send `GetUser` through the query bus. The caller is a `Principal` of the platform. */
export { ClaimKeyError } from './bonus/claim-key.js';
export { clerkPageSources } from './providers/clerk-page-sources.js';
export { GetUser } from './reads/get-user.js';
