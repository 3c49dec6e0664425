/** What other contexts may use of the generations: dispatch these through the buses. */
export * from './queries.js';
export { chargesOf } from './charges.js';
export { DeleteGeneration } from './delete-generation.js';
export { HideGeneration } from './hide-generation.js';
export { MESSAGES } from './messages.js';
export { GetReportedImage, ResolveReports } from './reports/resolve-report.js';
export { StartGeneration } from './start-generation.js';
export type {
  DeleteGenerationResponse,
  HideGenerationResponse,
  ReportResolution,
  ResolveReportResponse,
} from './wire.js';
