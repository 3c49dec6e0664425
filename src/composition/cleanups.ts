/** The steps of a stop, the last one first. */
export type Cleanups = (() => Promise<void>)[];

/** Runs each after the one before. One that fails does not keep the others from running. @throws AggregateError */
export async function runAll(cleanups: Cleanups): Promise<void> {
  const errors: unknown[] = [];
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    await cleanup().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'The app did not stop in order.');
}
