/** The lists of a JSON file by name, each in pages, and values that are computed after the lists. */
export interface JsonFile {
  readonly lists: Readonly<Record<string, AsyncIterable<readonly object[]>>>;
  readonly values?: () => object | Promise<object>;
}

/** Writes a JSON object with lists of any length, a page at a time. No chunk is empty. */
export async function* writeJson({ lists, values }: JsonFile): AsyncGenerator<string> {
  let next = '{';
  for (const [name, pages] of Object.entries(lists)) {
    yield `${next}\n  ${JSON.stringify(name)}: [`;
    let comma = '';
    for await (const rows of pages) {
      yield rows
        .map((row) => {
          const line = `${comma}\n    ${JSON.stringify(row)}`;
          comma = ',';
          return line;
        })
        .join('');
    }
    yield comma === '' ? ']' : '\n  ]';
    next = ',';
  }
  const rest = Object.entries((await values?.()) ?? {}).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  if (rest.length > 0) yield `${next}\n${rest.join(',\n')}`;
  yield '\n}\n';
}
