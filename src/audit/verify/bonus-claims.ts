import { type Pool } from 'pg';
import { type AccountAudit } from './account-audit.js';

/** Since when the app claims each sign-up bonus before it grants it. Null when it never did. */
export async function claimsBeganAt(pool: Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ since: Date }>('select since from bonus_claim_key');
  return rows[0]?.since ?? null;
}

/** Those of some users who have claimed the sign-up bonus. */
export async function usersWithClaim(pool: Pool, users: readonly string[]): Promise<ReadonlySet<string>> {
  if (users.length === 0) return new Set();
  const { rows } = await pool.query<{ user_id: string }>(
    'select distinct user_id from bonus_claim where user_id = any($1::text[])',
    [users],
  );
  return new Set(rows.map(({ user_id: userId }) => userId));
}

/** Whether the account's bonus must have a claim: it was granted since claims began, by the hashed time. */
export function needsClaim({ signUpBonusAt }: Pick<AccountAudit, 'signUpBonusAt'>, began: Date | null): boolean {
  return began !== null && signUpBonusAt !== null && signUpBonusAt >= began.getTime();
}
