/** What other contexts may use of the generations: dispatch these through the buses. */
export * from './queries.js';
export { chargesOf } from './charges.js';
export { StartGeneration } from './start-generation.js';
