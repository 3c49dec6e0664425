/** The part of a seal's signed line that the pages show. */
export interface SealFacts {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly streams: number;
  readonly events: number;
  readonly merkleRoot: string;
  readonly keyFingerprint: string;
  /** Whether another key signs from the next seal on. */
  readonly rotation: boolean;
}

/** Reads the signed line of a seal; null when it is not one. Does not verify the signature. */
export function readSealLine(line: string): SealFacts | null {
  let manifest: Partial<Record<keyof SealFacts, unknown>> | null | undefined;
  try {
    ({ manifest } = JSON.parse(line) as { manifest?: typeof manifest });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const { startedAt, endedAt, streams, events, merkleRoot, keyFingerprint, rotation } = manifest ?? {};
  if (typeof startedAt !== 'string' || typeof endedAt !== 'string' || typeof streams !== 'number') return null;
  if (typeof events !== 'number' || typeof merkleRoot !== 'string' || typeof keyFingerprint !== 'string') return null;
  return { startedAt, endedAt, streams, events, merkleRoot, keyFingerprint, rotation: rotation !== undefined };
}
