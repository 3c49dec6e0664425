import { GenerationCleaner } from './clean-generations.js';
import { ConsentFollower } from './follow-consent.js';
import { GenerationChanges } from './generation-changes.js';
import { GenerationReconciler } from './reconcile-generations.js';

export const WORKERS = [GenerationChanges, GenerationReconciler, GenerationCleaner, ConsentFollower];
