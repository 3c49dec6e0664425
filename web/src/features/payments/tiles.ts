/**
 * `count` pictures out of those of several creators, taken in turns so that neighbours differ, and shifted with every round
 * so that a repeat does not stand below its twin. Empty when there are none.
 */
export function arrangement<T>(works: readonly (readonly T[])[], count: number, offset: number): T[] {
  const turns = Math.max(0, ...works.map(({ length }) => length));
  const inTurn = Array.from({ length: turns }, (_, turn) => works.flatMap((own) => own.slice(turn, turn + 1))).flat();
  if (inTurn.length === 0) return [];
  return Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / inTurn.length);
    return inTurn[(index + round * 5 + offset) % inTurn.length] as T;
  });
}
