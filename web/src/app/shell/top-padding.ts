/** Whether `main` keeps a distance from the header at this path: not on sign-in, sign-up and generate pages. */
export function hasTopPadding(pathname: string): boolean {
  return !/^\/(?:sign-in|sign-up|[^/]+\/generate)(?:\/|$)/i.test(pathname);
}
