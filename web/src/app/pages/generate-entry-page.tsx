import { useParams } from 'react-router-dom';
import { usePublicCreator } from '../../features/creators/api/get-public-creator-by-username.js';
import { useCredits } from '../../features/credits/api/get-user-credit-breakdown.js';
import { NextDailyCredits } from '../../features/credits/components/next-daily-credits.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { GenerateEntryPage } from '../../features/generation/generate-entry-page.js';

/** The page for writing a prompt, with the creator of the address. */
export default function Page(): React.ReactNode {
  const { username = '' } = useParams();
  return (
    <GenerateEntryPage
      creatorQuery={usePublicCreator(username)}
      balance={useCredits().data?.total_balance}
      refill={<NextDailyCredits />}
      onCreditsChange={refreshCredits}
    />
  );
}
