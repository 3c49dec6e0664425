/** Forbidden kinds of prompts. `minors` is anything suggestive together with any word for a minor. */
export const MODERATION_CATEGORIES = ['sexual', 'minors', 'real_people', 'hate', 'self_harm'] as const;
export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number];

export interface ModerationVerdict {
  /** The gravest category of the prompt; null when it may be drawn. */
  readonly category: ModerationCategory | null;
}

/**
 * Judges prompts before anything is paid or drawn. The local rules are the default; a service can replace them. When it
 * throws, the generation does not start.
 */
export abstract class PromptModerator {
  abstract moderate(prompt: string): Promise<ModerationVerdict>;
}
