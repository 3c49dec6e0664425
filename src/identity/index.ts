/** What other contexts may use of identity: dispatch these through the buses. Who calls is `Principal`, from the platform. */
export * from './reads/queries.js';
