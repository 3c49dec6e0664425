/** What a prompt may not ask for. `minors` is anything suggestive together with any word for a minor. */
export const MODERATION_CATEGORIES = ['sexual', 'minors', 'real_people', 'hate', 'self_harm'] as const;
export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number];

export interface ModerationVerdict {
  /** The gravest category that the prompt falls into; null: it may be drawn. */
  readonly category: ModerationCategory | null;
}

/**
 * Judges prompts before anything is paid or drawn. The local rules are the default; a service can stand in their place.
 * When it throws, the generation is not started.
 */
export abstract class PromptModerator {
  abstract moderate(prompt: string): Promise<ModerationVerdict>;
}
