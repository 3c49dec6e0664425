type WireValue<Value> = Value extends Date ? string : Value;

/** These columns of a row as responses have them, in this order: times as ISO 8601 text, all else as it is. */
export function wireFields<Row extends object, Column extends keyof Row>(
  row: Row,
  columns: readonly Column[],
): { readonly [Each in Column]: WireValue<Row[Each]> } {
  const fields = columns.map((column): [PropertyKey, unknown] => {
    const value = row[column];
    return [column, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(fields) as { readonly [Each in Column]: WireValue<Row[Each]> };
}
