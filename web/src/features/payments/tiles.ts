/**
 * `count` pictures, taken from the creators in turn so that neighbours differ. Each repetition is shifted, so that a
 * picture is not below itself. Empty without pictures.
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
