/** What other contexts may use of the generations: dispatch these through the buses. */
export * from './queries.js';
export { StartGeneration, type StartedGeneration } from './start-generation.js';
