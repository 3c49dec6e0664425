/** What other contexts may use of the creators: dispatch these through the buses. */
export * from './queries.js';
