/** What other contexts may use of the creators: dispatch these through the buses. */
export * from './commands.js';
export * from './queries.js';
export { isReservedUsername } from './usernames.js';
