/** Picks how often a test repeats: a few times in `npm test`, many times in `npm run soak`. */
export function inSoak(many: number, few: number): number {
  return process.env['FANVAS_SOAK'] ? many : few;
}
