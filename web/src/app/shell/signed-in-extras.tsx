import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { askForDailyGrant } from '../../features/credits/ask-for-daily-grant.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { FinishWatch } from '../../features/generation/components/finish-watch.js';

/** What runs on every page for a signed-in person: the daily credits, and the watch for finished images. */
export default function SignedInExtras({ userId }: { readonly userId: string }): React.ReactNode {
  const { pathname } = useLocation();
  useEffect(() => {
    // Asks on each route change. The rule itself limits it to once a day.
    void askForDailyGrant(userId);
  }, [userId, pathname]);
  return <FinishWatch onCreditsChange={refreshCredits} />;
}
