/** Address of the page of a generation. */
export function generationPath(username: string, generationId: string): string {
  return `/${encodeURIComponent(username)}/generate/${encodeURIComponent(generationId)}`;
}

/** Address of the self-billed statement of a payout. The server decides who may read it. */
export function payoutStatementPath(payoutId: string): string {
  return `/creator/payouts/${encodeURIComponent(payoutId)}`;
}
