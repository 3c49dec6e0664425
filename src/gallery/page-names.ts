/** Announced when any creator or gallery changes. The migrations of this and the lower contexts announce the names. */
export const ALL_CREATORS = 'creators';

/** Announced when a creator or their gallery changes. */
export const creatorName = (creatorId: string): string => `creator:${creatorId}`;

/** Announced when a finished picture changes. */
export const generationName = (generationId: string): string => `generation:${generationId}`;
