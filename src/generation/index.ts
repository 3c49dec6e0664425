/** What other contexts may use of the generations: dispatch these through the buses. */
export * from './queries.js';
export { chargesOf } from './charges.js';
export { StartGeneration, type StartedGeneration } from './start-generation.js';
export { GENERATION_FAULT_POINTS, type GenerationFaultPoint } from './generation-steps.js';
