/** `/audit/accounts/user_1` */
export function accountPath(userId: string): string {
  return `/audit/accounts/${encodeURIComponent(userId)}`;
}

/** The account with an event unfolded. */
export function eventPath(userId: string, version: number): string {
  return `${accountPath(userId)}?v=${version}`;
}

/** The page that looks for an id. */
export function findPath(id: string): string {
  return `/audit/find?${new URLSearchParams({ id }).toString()}`;
}

const ACCOUNT_STREAM = 'creditAccount-';

/** The user whose account a stream is; null for a stream that is no account. */
export function userOfStream(stream: string): string | null {
  return stream.startsWith(ACCOUNT_STREAM) ? stream.slice(ACCOUNT_STREAM.length) : null;
}
