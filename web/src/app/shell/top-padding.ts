/** Whether `main` has padding at the top: everywhere except on sign-in, sign-up and generate pages. */
export function hasTopPadding(pathname: string): boolean {
  return !/^\/(?:sign-in|sign-up|[^/]+\/generate)(?:\/|$)/i.test(pathname);
}
