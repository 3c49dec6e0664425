/**
 * The non-empty pages of a query.
 * @param size rows in memory at a time
 * @param read returns the first `limit` rows after `last`; null: the first rows
 */
export async function* inPages<Row>(
  size: number,
  read: (last: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | null = null;
  for (;;) {
    const page: readonly Row[] = await read(last, size);
    if (page.length > 0) yield page;
    last = page.at(-1) ?? null;
    if (page.length < size) return;
  }
}
