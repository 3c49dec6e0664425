import { CreditRows } from './credit-rows.js';
import { GenerationRows } from './generation-rows.js';
import { ImageRows } from './image-rows.js';
import { PredictionRows } from './prediction-rows.js';
import { StartRows } from './start-rows.js';

export const ROWS = [GenerationRows, StartRows, PredictionRows, CreditRows, ImageRows];
