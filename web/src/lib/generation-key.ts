/** Key of a generation in the query cache. */
export const generationKey = (generationId: string) => ['generation', generationId] as const;
