import { lazy, Suspense } from 'react';
import { PortalLoading } from '../../features/creator-portal/components/portal-loading.js';
import { CreatorPortal } from '../../features/creator-portal/creator-portal.js';
import { usePublicCreators } from '../../features/creators/api/get-public-creators.js';
import { refreshCreators } from '../../features/creators/refresh-creators.js';
import { isListed } from '../../features/creators/listing.js';
import { useIsCreator } from '../../features/identity/api/check-creator.js';

const CreatorDashboard = lazy(async () => ({
  default: (await import('../../features/creator-dashboard/creator-dashboard.js')).CreatorDashboard,
}));

/** The creator portal, with a creator's picture as its offer. Most visitors of the portal need no dashboard. */
export default function Page(): React.ReactNode {
  const { data: creators = [] } = usePublicCreators();
  const { data: knownCreator = false } = useIsCreator();
  const [picture = null] = creators.filter(isListed).flatMap(({ works, profile }) => profile ?? works);
  return (
    <CreatorPortal
      picture={picture}
      knownCreator={knownCreator}
      dashboard={(creator) => (
        <Suspense fallback={<PortalLoading />}>
          <CreatorDashboard creator={creator} onPageChange={refreshCreators} />
        </Suspense>
      )}
    />
  );
}
