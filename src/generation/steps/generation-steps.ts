/** The steps at which tests simulate a crash, in the order in which they happen. */
const STEPS = [
  'insert',
  'deduct',
  'drop',
  'create',
  'store-prediction',
  'record-outcome',
  'claim',
  'fetch',
  'store-media',
  'complete',
  'settle',
  'fail',
  'refund',
  'close-credits',
  'cancel-at-provider',
] as const;

export type GenerationStep = (typeof STEPS)[number];

export type GenerationFaultPoint = `generation.${GenerationStep}.${'before' | 'after'}`;

/** All fault points of this context. */
export const GENERATION_FAULT_POINTS: readonly GenerationFaultPoint[] = STEPS.flatMap(
  (step): GenerationFaultPoint[] => [`generation.${step}.before`, `generation.${step}.after`],
);
