import { CreditCloser } from './close-credits.js';
import { GenerationFinisher } from './finish-generation.js';
import { GenerationWorker } from './generation-worker.js';
import { OutputCopier } from './output-copier.js';

export const STEPS = [CreditCloser, OutputCopier, GenerationFinisher, GenerationWorker];
