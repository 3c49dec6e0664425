/** What other contexts may use of the creators: dispatch these through the buses. */
export * from './use-cases/commands.js';
export * from './reads/queries.js';
export { isReservedUsername } from './usernames.js';
