/** The pattern of hatched bars, to fill with `url(#id)` in the same drawing. */
export function Hatch({ id }: { readonly id: string }): React.ReactNode {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2.4" height="6" fill="var(--chart-free)" />
      </pattern>
    </defs>
  );
}
