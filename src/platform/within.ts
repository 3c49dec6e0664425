/**
 * The result of the work, or that of `late` after so many milliseconds. `late` may throw. Work that comes too late goes
 * on, and its error is ignored.
 */
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, timeout.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
