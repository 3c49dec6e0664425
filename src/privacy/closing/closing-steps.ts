import { CLOSING_STEPS, type ClosingStep } from '../../contract/closing.js';

export type ClosingFaultPoint = `closing.${ClosingStep | 'store'}.${'before' | 'after'}`;

/** The points at which crash tests stop the process: around each step and around storing its result. */
export const CLOSING_FAULT_POINTS: readonly ClosingFaultPoint[] = [...CLOSING_STEPS, 'store' as const].flatMap(
  (step): ClosingFaultPoint[] => [`closing.${step}.before`, `closing.${step}.after`],
);
