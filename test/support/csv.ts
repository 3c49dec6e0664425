/** The cells of a CSV file (RFC 4180). */
export function cellsOf(text: string): string[][] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );
}

/** The rows of a CSV file by their columns. */
export function rowsOf(text: string): Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = cellsOf(text);
  return rows.map((cells) => Object.fromEntries(head.map((name, column) => [name, cells[column] ?? ''])));
}
