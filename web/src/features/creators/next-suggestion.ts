/** Index of the suggestion that an arrow key selects, wrapping at both ends; `now` is -1 without a selection. */
export function nextSuggestion(now: number, step: -1 | 1, count: number): number {
  if (now === -1) return step === 1 ? 0 : count - 1;
  return (now + step + count) % count;
}
