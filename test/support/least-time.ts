/**
 * The least processor time of some runs, in microseconds: other work on the machine only adds to it. A run below
 * `enough` is the last.
 */
export function leastTime(
  work: () => unknown,
  { runs, enough = 0 }: { readonly runs: number; readonly enough?: number },
): number {
  let least = Infinity;
  for (let run = 0; run < runs && least >= enough; run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}
