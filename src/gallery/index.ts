/** What others may use of the galleries: dispatch these through the buses. */
export * from './commands.js';
export { SharePages } from './share-pages.js';
