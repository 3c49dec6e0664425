import type { AdminUser } from '../../../../../src/contract/admin-users.js';

/** Most credits of one grant or adjustment. */
const MAX_CREDITS = 1_000_000;

export type AdjustKind = 'grant' | 'adjust';

type Account = Pick<
  AdminUser,
  'daily_credits' | 'bonus_credits' | 'paid_credits' | 'total_balance' | 'grant_left_today'
>;

interface AdjustPlan {
  readonly after: number;
  /** The kinds of credits that change: `bonus 10 to 30`. */
  readonly changes: readonly string[];
  /** More than the admin may grant and take today: a second admin decides it. */
  readonly needsSecondAdmin: boolean;
}

/** A number of credits as it was typed; null while it is not one that can be sent. */
export function typedCredits(text: string): number | null {
  if (!/^\d+$/.test(text.trim())) return null;
  const credits = Number(text);
  return credits >= 1 && credits <= MAX_CREDITS ? credits : null;
}

/**
 * Computes the effect on the balance. Credits are taken from daily ones first, then bonus, then purchased ones. Null
 * when the account has fewer credits than are to be taken.
 */
export function planOf(kind: AdjustKind, credits: number, account: Account): AdjustPlan | null {
  const { daily_credits, bonus_credits, paid_credits, total_balance, grant_left_today } = account;
  const needsSecondAdmin = credits > grant_left_today;
  if (kind === 'grant') {
    const changes = [change('bonus', bonus_credits, bonus_credits + credits)];
    return { after: total_balance + credits, changes, needsSecondAdmin };
  }
  if (credits > total_balance) return null;
  const changes: string[] = [];
  let creditsToTake = credits;
  for (const [name, before] of [
    ['daily', daily_credits],
    ['bonus', bonus_credits],
    ['purchased', paid_credits],
  ] as const) {
    const taken = Math.min(creditsToTake, before);
    if (taken > 0) changes.push(change(name, before, before - taken));
    creditsToTake -= taken;
  }
  return { after: total_balance - credits, changes, needsSecondAdmin };
}

function change(name: string, before: number, after: number): string {
  return `${name} ${before.toLocaleString('en')} to ${after.toLocaleString('en')}`;
}
