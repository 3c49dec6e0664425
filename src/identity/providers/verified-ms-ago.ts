/** Marks a factor that the user has not enrolled or not verified in this session. */
const NEVER_VERIFIED = -1;

/**
 * Time since the last verification (milliseconds), from the claims of a session token. The second factor counts where
 * one is verified, else the first one. Null when the claims do not contain it.
 * @param fva the ages of the first and of the second factor when the token was issued (minutes)
 * @param iat when the token was issued (seconds); its own age is added, so that an old token does not look fresh
 */
export function verifiedMsAgo(fva: unknown, iat: unknown, now: Date): number | null {
  if (!Array.isArray(fva) || fva.length !== 2 || typeof iat !== 'number') return null;
  const [first, second] = fva as unknown[];
  if (!isAge(first) || !isAge(second)) return null;
  const minutes = second === NEVER_VERIFIED ? first : second;
  if (minutes === NEVER_VERIFIED) return null;
  return minutes * 60_000 + Math.max(0, now.getTime() - iat * 1_000);
}

function isAge(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && (value === NEVER_VERIFIED || value >= 0);
}
