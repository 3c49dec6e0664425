/** All pages of a list. @param ask answers the page after this one; undefined: the first page */
export async function pagesOf<Page extends { readonly next: string | null }>(
  ask: (after: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await ask(undefined)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) pages.push(await ask(next));
  return pages;
}
