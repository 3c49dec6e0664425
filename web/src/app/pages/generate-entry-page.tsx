import { useParams } from 'react-router-dom';
import { usePublicCreator } from '../../features/creators/api/get-public-creator-by-username.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { GenerateEntryPage } from '../../features/generation/generate-entry-page.js';

/** The page for writing a prompt, with the creator of the address. */
export default function Page(): React.ReactNode {
  const { username = '' } = useParams();
  return <GenerateEntryPage creatorQuery={usePublicCreator(username)} onCreditsChange={refreshCredits} />;
}
