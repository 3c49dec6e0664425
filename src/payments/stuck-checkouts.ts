import { type RawBuilder, sql } from 'kysely';

/** Time after its end within which an unpaid checkout is closed by itself (milliseconds). */
const GRACE_MS = 3_600_000;
/** Time that a payment with a slow method may take (milliseconds). */
const SLOW_PAYMENT_MS = 7 * 86_400_000;

/**
 * The checkouts that should have ended by themselves, as a condition on `checkout`. The index of open ones finds them.
 */
export function isStuck(now: Date): RawBuilder<boolean> {
  const ended = new Date(now.getTime() - GRACE_MS);
  const slow = new Date(now.getTime() - SLOW_PAYMENT_MS);
  return sql<boolean>`
    status in ('creating', 'open', 'processing') and expires_at < ${ended}
      and (status <> 'processing' or expires_at < ${slow})`;
}
