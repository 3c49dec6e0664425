/** Waits for something that another part of the process, or another process, is about to do. */
export async function until<T>(look: () => T | Promise<T>, what = 'it', withinMs = 8_000): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`Waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
