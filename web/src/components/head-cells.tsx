/** The cells of the head of a table: what each heads, and its class name. */
export function HeadCells({ cells }: { readonly cells: readonly (readonly [string, string?])[] }): React.ReactNode {
  return cells.map(([text, className]) => (
    <th key={text} scope="col" className={className}>
      {text}
    </th>
  ));
}
