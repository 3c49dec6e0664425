/** Other contexts send these commands and queries through the buses. */
export { type GenerationSummary } from './reads/generation-summary.js';
export { GetGeneration } from './reads/get-generation.js';
export { GetGenerations } from './reads/get-generations.js';
export { GetReportedImage } from './reads/get-reported-image.js';
export { DeleteGeneration } from './use-cases/delete-generation.js';
export { HideGeneration } from './use-cases/hide-generation.js';
export { ResolveReports } from './use-cases/resolve-reports.js';
export { StartGeneration } from './use-cases/start-generation.js';
/** The gallery answers with the same texts. */
export { MESSAGES } from './messages.js';
