import { useEffect } from 'react';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { CreatorPage } from '../../features/creators/creator-page.js';
import { useCredits } from '../../features/credits/api/get-user-credit-breakdown.js';
import { NextDailyCredits } from '../../features/credits/components/next-daily-credits.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { PromptBar } from '../../features/generation/components/prompt-bar.js';

/** The profile of a creator with the prompt bar. */
export default function Page(): React.ReactNode {
  return <CreatorPage promptBar={(creator) => <Foot creator={creator} />} />;
}

function Foot({ creator }: { creator: PublicCreator }): React.ReactNode {
  // The Generate button navigates there, so the code is loaded early.
  useEffect(() => {
    const timer = setTimeout(() => {
      // The navigation itself reports a failure.
      import('./generation-page.js').catch(() => undefined);
    }, 1000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <PromptBar
      creator={creator}
      balance={useCredits().data?.total_balance}
      refill={<NextDailyCredits />}
      onCreditsChange={refreshCredits}
    />
  );
}
