import { GenerationCleaner } from './clean-generations.js';
import { GenerationFinisher } from './finish-generation.js';
import { ConsentFollower } from './follow-consent.js';
import { GenerationChanges } from './generation-changes.js';
import { GenerationWorker } from './generation-worker.js';
import { OutputCopier } from './output-copier.js';
import { GenerationReconciler } from './reconcile-generations.js';

export const WORKERS = [
  GenerationChanges,
  OutputCopier,
  GenerationFinisher,
  GenerationWorker,
  GenerationReconciler,
  GenerationCleaner,
  ConsentFollower,
];
