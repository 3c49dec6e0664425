import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { askForDailyGrant } from '../../features/credits/ask-for-daily-grant.js';
import { useNextDailyCredits } from '../../features/credits/use-next-daily-credits.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { FinishWatch } from '../../features/generation/components/finish-watch.js';

/** Asks for the daily credits and watches for finished images, on every page of a signed-in person. */
export default function SignedInExtras({ userId }: { readonly userId: string }): React.ReactNode {
  const { pathname } = useLocation();
  const grantMayBeDue = useNextDailyCredits() === null;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasLeft = false;
    // Asks on each route change, and when the next day of UTC begins. The rule itself limits it to once a day.
    const ask = async (): Promise<void> => {
      const again = await askForDailyGrant(userId);
      if (again !== null && !hasLeft) timer = setTimeout(() => void ask(), again);
    };
    void ask();
    return () => {
      hasLeft = true;
      clearTimeout(timer);
    };
  }, [userId, pathname, grantMayBeDue]);
  return <FinishWatch onCreditsChange={refreshCredits} />;
}
