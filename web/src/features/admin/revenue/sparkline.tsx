import { SPARKLINE_BOX, sparklinePoints } from './sparkline-points.js';

/** The earnings of the last months as a line on its own scale; the present month is dotted. Decorative. */
export function Sparkline({ months }: { readonly months: readonly number[] }): React.ReactNode {
  const points = sparklinePoints(months);
  if (!points) return null;
  const at = (from: number, to?: number): string =>
    points
      .slice(from, to)
      .map(({ x, y }) => `${x},${y}`)
      .join(' ');
  const last = points.at(-2);
  return (
    <svg
      aria-hidden
      viewBox={SPARKLINE_BOX}
      className="h-7 w-25 shrink-0 fill-none stroke-chart-paid"
      strokeWidth="1.8"
    >
      <polyline points={at(0, -1)} strokeLinejoin="round" />
      <polyline points={at(-2)} strokeDasharray="2 3" />
      {last && <circle cx={last.x} cy={last.y} r="2.6" className="fill-chart-paid stroke-none" />}
    </svg>
  );
}
