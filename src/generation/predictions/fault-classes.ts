import { type RefundReason } from '../../credits/index.js';

/** Classes of errors that a retry does not help (fan spec, section 4, rule 10). */
export type FatalErrorClass = 'nsfw' | 'oom' | 'fatal';

/** Whole words only: “zoom” and “living room” are not out of memory. */
const FATAL_WORDS: readonly (readonly [FatalErrorClass, RegExp])[] = [
  ['nsfw', /(?<![a-z])(nsfw|explicit|inappropriate|flagged as sensitive|e005|safety (filter|checker))(?![a-z0-9])/i],
  ['oom', /out of memory|(?<![a-z])oom(?![a-z])/i],
  ['fatal', /(?<![a-z])(fatal(?![a-z])|cuda)|failed to load/i],
];

/** The class of a provider's error text; null for an ordinary failure. */
export function classifyFault(errorText: string): FatalErrorClass | null {
  return FATAL_WORDS.find(([, words]) => words.test(errorText))?.[0] ?? null;
}

/** The refund reason for a provider's error text. */
export function refundReasonFor(errorText: string): RefundReason {
  return classifyFault(errorText) === null ? 'generation_failed' : 'fatal_error';
}
