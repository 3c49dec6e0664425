/**
 * Waits for a state that another part of the process, or another process, is about to reach.
 * @param everyMs pause between two checks, after three shorter ones; requests with a rate limit need a longer one
 * @throws when `look` returns nothing truthy in time
 */
export async function until<T>(
  look: () => T | Promise<T>,
  subject = 'it',
  withinMs = 20_000,
  everyMs = 10,
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs;
  let pauseMs = everyMs / 8;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`Waited too long for ${subject}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 2, everyMs);
  }
}
