/**
 * Waits for a state that another part of the process, or another process, is about to reach.
 * @param everyMs pause between two checks; requests with a rate limit need a longer one
 * @throws when `look` returns nothing truthy in time
 */
export async function until<T>(
  look: () => T | Promise<T>,
  subject = 'it',
  withinMs = 20_000,
  everyMs = 10,
): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`Waited too long for ${subject}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
