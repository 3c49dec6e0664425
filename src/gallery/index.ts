/** What others may use of the galleries: dispatch these through the buses. */
export * from './use-cases/commands.js';
export { SharePages } from './reads/share-pages.js';
