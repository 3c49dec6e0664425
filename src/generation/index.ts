/** What other contexts may use of the generations: dispatch these through the buses. */
export * from './reads/queries.js';
export { DeleteGeneration } from './use-cases/delete-generation.js';
export { HideGeneration } from './use-cases/hide-generation.js';
export { MESSAGES } from './messages.js';
export { GetReportedImage, ResolveReports } from './use-cases/resolve-report.js';
export { StartGeneration } from './use-cases/start-generation.js';
