import { useParams } from 'react-router-dom';
import { useGallery } from '../../features/creators/api/get-gallery-generations.js';
import { usePublicCreator } from '../../features/creators/api/get-public-creator-by-username.js';
import { GalleryGrid } from '../../features/creators/components/gallery-grid.js';
import { isListed } from '../../features/creators/listing.js';
import { refreshCreators } from '../../features/creators/refresh-creators.js';
import { useCredits } from '../../features/credits/api/get-user-credit-breakdown.js';
import { NextDailyCredits } from '../../features/credits/components/next-daily-credits.js';
import { refreshCredits } from '../../features/credits/refresh-credits.js';
import { GenerationPage } from '../../features/generation/generation-page.js';

/** A generation with its creator and the creator's gallery. */
export default function Page(): React.ReactNode {
  const { username = '' } = useParams();
  const { data: creator = null } = usePublicCreator(username);
  const { data: pictures = [] } = useGallery(creator && isListed(creator) ? creator.id : null);
  return (
    <GenerationPage
      creator={creator}
      pictures={pictures}
      gallery={creator && <GalleryGrid creator={creator} title="FAN ART GALLERY" />}
      balance={useCredits().data?.total_balance}
      refill={<NextDailyCredits />}
      onCreditsChange={refreshCredits}
      onListsChange={refreshCreators}
    />
  );
}
