/** The steps of a generation's life at which a crash is simulated in tests, in the order in which they happen. */
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

/** Every name that `FaultPoints.reach` is called with by this context. */
export const GENERATION_FAULT_POINTS: readonly GenerationFaultPoint[] = STEPS.flatMap(
  (step): GenerationFaultPoint[] => [`generation.${step}.before`, `generation.${step}.after`],
);
