/** The path of `/@name` or of a page below it without the @; null for every other path. */
export function withoutAt(pathname: string): string | null {
  const bare = /^\/(?:@|%40)([^/@]+(?:\/.*)?)$/i.exec(pathname)?.[1];
  return bare === undefined ? null : `/${bare}`;
}
