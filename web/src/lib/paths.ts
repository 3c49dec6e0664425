/** Address of the page of a generation. */
export function generationPath(username: string, generationId: string): string {
  return `/${encodeURIComponent(username)}/generate/${encodeURIComponent(generationId)}`;
}
