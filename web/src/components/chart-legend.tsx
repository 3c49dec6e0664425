interface ChartLegendProps {
  /** Name of the solid bars. */
  readonly solid: string;
  /** Name of the hatched bars. */
  readonly hatched: string;
}

/** Names the two bars of a `MonthChart`. */
export function ChartLegend({ solid, hatched }: ChartLegendProps): React.ReactNode {
  return (
    <ul className="flex flex-wrap gap-4 text-14 text-ink-2">
      <li className="flex items-center gap-2">
        <span aria-hidden className="size-3 rounded-[3px] bg-chart-paid" />
        <span>{solid}</span>
      </li>
      <li className="flex items-center gap-2">
        <span
          aria-hidden
          className="size-3 rounded-[3px] border-[1.4px] border-chart-free bg-[repeating-linear-gradient(135deg,var(--chart-free)_0_1.5px,transparent_1.5px_4px)]"
        />
        <span>{hatched}</span>
      </li>
    </ul>
  );
}
