/** Other contexts send these commands and queries through the buses. */
export { type GenerationSummary } from './reads/generation-summary.js';
export { GetGeneration } from './reads/get-generation.js';
export { GetGenerations } from './reads/get-generations.js';
export { GetReportedImage } from './reads/get-reported-image.js';
export { ListImagesOfClosedOwners, ListImagesOfOwner } from './reads/list-images-of-owner.js';
export { HasPendingGeneration } from './reads/has-pending-generation.js';
export { ListImagesOfStyle } from './reads/list-images-of-style.js';
export { ListTakeDowns, toTakeDownRequest } from './reads/list-take-downs.js';
export { EndTakeDown } from './use-cases/end-take-down.js';
export { EraseTakeDowns } from './use-cases/erase-take-downs.js';
export { OpenTakeDown } from './use-cases/open-take-down.js';
export { toTakeDownState } from './take-down-rows.js';
export { ListLateStyles } from './reads/list-late-styles.js';
export { ListUnerasedOwners } from './reads/list-unerased-owners.js';
export { ListUsedMedia } from './reads/list-used-media.js';
export { CancelPending } from './use-cases/cancel-pending.js';
export { CloseOwner } from './use-cases/close-owner.js';
export { EraseOwner } from './use-cases/erase-owner.js';
export { WithholdImages } from './use-cases/withhold-images.js';
export { DeleteGeneration } from './use-cases/delete-generation.js';
export { HideGeneration } from './use-cases/hide-generation.js';
export { ResolveReports } from './use-cases/resolve-reports.js';
export { StartGeneration } from './use-cases/start-generation.js';
/** The gallery answers with the same texts. */
export { MESSAGES } from './messages.js';
/** The demo's past draws without a provider and waits for each image. */
export { CancelGeneration } from './use-cases/cancel-generation.js';
export { SyncGeneration } from './use-cases/sync-generation.js';
export { ImageProvider, type Prediction, PredictionNotFoundError } from './providers/image-provider.js';
export { GenerationWorker } from './workers/generation-worker.js';
export { OutputCopier } from './workers/output-copier.js';
export { watermark } from './watermark.js';
