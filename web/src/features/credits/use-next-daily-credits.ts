import { useEffect, useState } from 'react';
import type { Day } from '../../../../src/contract/scalars.js';
import { useCredits } from './api/get-user-credit-breakdown.js';
import { nextDailyCredits, soonText } from './next-daily-credits.js';

interface NextDailyCredits {
  readonly at: Date;
  /** `tomorrow at 01:00`, in the browser's time zone. */
  readonly text: string;
}

/** When the fan's next daily credits come. Null while that is unknown, and when they can be granted now. */
export function useNextDailyCredits(): NextDailyCredits | null {
  const lastGranted = useCredits().data?.daily_credits_last_granted;
  const [, setPassed] = useState(0);
  const credits = creditsAfter(lastGranted);
  const next = credits?.at.getTime();
  useEffect(() => {
    if (next === undefined) return undefined;
    const timer = setTimeout(() => setPassed(next), next - Date.now());
    return () => clearTimeout(timer);
  }, [next]);
  return credits;
}

function creditsAfter(lastGranted: Day | null | undefined): NextDailyCredits | null {
  const now = new Date();
  const at = nextDailyCredits(lastGranted, now);
  return at && { at, text: soonText(at, now) };
}
