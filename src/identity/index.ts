/** What other contexts may use of identity: dispatch these through the buses. Who calls is `Principal`, from the platform. */
export { clerkPageSources } from './providers/clerk-page-sources.js';
export * from './reads/queries.js';
