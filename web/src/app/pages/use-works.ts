import { usePublicCreators } from '../../features/creators/api/get-public-creators.js';
import { isListed } from '../../features/creators/listing.js';
import type { Works } from '../../features/payments/components/bundle-tiles.js';

/** The works of all listed creators, as decoration for the bundles. */
export function useWorks(): Works {
  const { data: creators = [] } = usePublicCreators();
  return creators.filter(isListed).map(({ works }) => works);
}
