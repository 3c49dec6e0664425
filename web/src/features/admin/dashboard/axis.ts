/** The three marks of an axis that holds `highest`: 0, a half and a round top. All are whole numbers. */
export function axisMarks(highest: number): readonly [number, number, number] {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 2)));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * power >= Math.max(highest, 2)) ?? 10;
  const top = step * power;
  return [0, top / 2, top];
}
