const WIDTH = 100;
const HEIGHT = 28;
const INSET = 3;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The points of a line through these values, on its own scale from 0. Null without a value above 0. */
export function sparklinePoints(values: readonly number[]): readonly Point[] | null {
  const highest = Math.max(0, ...values);
  if (highest === 0 || values.length < 2) return null;
  const step = (WIDTH - 2 * INSET) / (values.length - 1);
  const round = (value: number): number => Math.round(value * 10) / 10;
  return values.map((value, index) => ({
    x: round(INSET + index * step),
    y: round(HEIGHT - INSET - (Math.max(0, value) / highest) * (HEIGHT - 2 * INSET)),
  }));
}

export const SPARKLINE_BOX = `0 0 ${WIDTH} ${HEIGHT}`;
