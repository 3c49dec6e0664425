/** A delay in milliseconds by the failures before it: `firstMs`, doubled by each failure, at most `longestMs`. */
export function doublingDelay(firstMs: number, longestMs: number): (failures: number) => number {
  return (failures) => Math.min(longestMs, firstMs * 2 ** failures);
}
