/** For a generation that succeeded without a picture (fan spec, section 4, rule 3). */
export const INVALID_OUTPUT_TEXT = 'Generation succeeded but returned invalid output format';

/** Why a generation failed, in our words. */
export interface FailureReason {
  readonly text: string;
  /** True when another prompt helps and the same one does not. */
  readonly promptRefused: boolean;
}

/** The first pattern that occurs in the stored message decides. The first two: fan spec, section 4, rule 10. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/out of memory|(?<![a-z])oom(?![a-z])/i, 'The image service ran out of memory.'],
  [/(?<![a-z])(fatal(?![a-z])|cuda)|failed to load/i, 'The image service had a fault.'],
  [/no output was provided|invalid output format/i, INVALID_OUTPUT_TEXT],
  [/could not be (retrieved|stored)/i, 'The image was drawn, but it could not be stored.'],
  [/no prediction id|failed to start|failed to create generation record/i, 'The image could not be started.'],
  [/interrupted|code: PA\b/i, 'The image service was interrupted.'],
];

const PROMPT_REFUSED =
  /(?<![a-z])(nsfw|explicit|inappropriate|flagged as sensitive|e005|safety (filter|checker))(?![a-z0-9])/i;

/**
 * The reason of a failed generation for fans. The stored message is that of the image provider, whose words and codes
 * help no fan; none of them is shown.
 * @param message the stored `error_message`
 */
export function failureReason(message: string | null): FailureReason {
  const stored = message ?? '';
  if (PROMPT_REFUSED.test(stored)) {
    return {
      text: 'The result did not comply with our content guidelines. Please modify your prompt.',
      promptRefused: true,
    };
  }
  const known = REASONS.find(([pattern]) => pattern.test(stored));
  return { text: known?.[1] ?? 'The image service could not finish your image.', promptRefused: false };
}
