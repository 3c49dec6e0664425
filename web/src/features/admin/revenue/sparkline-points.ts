const WIDTH_UNITS = 100;
const HEIGHT_UNITS = 28;
const INSET_UNITS = 3;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The points of a line through these values, on its own scale from 0. Null without a value above 0. */
export function sparklinePoints(values: readonly number[]): readonly Point[] | null {
  const highest = Math.max(0, ...values);
  if (highest === 0 || values.length < 2) return null;
  const step = (WIDTH_UNITS - 2 * INSET_UNITS) / (values.length - 1);
  const round = (value: number): number => Math.round(value * 10) / 10;
  return values.map((value, index) => ({
    x: round(INSET_UNITS + index * step),
    y: round(HEIGHT_UNITS - INSET_UNITS - (Math.max(0, value) / highest) * (HEIGHT_UNITS - 2 * INSET_UNITS)),
  }));
}

export const SPARKLINE_BOX = `0 0 ${WIDTH_UNITS} ${HEIGHT_UNITS}`;
