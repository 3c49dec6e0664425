import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';

/** The gallery of a creator as it is now. Never refetched, because an admin edits it. */
export function useGallery(creatorId: string) {
  const { user } = useViewer();
  return useQuery({
    queryKey: ['get_gallery_admin', user?.id, creatorId],
    queryFn: ({ signal }) => rpc('get_gallery_admin', { p_creator_id: creatorId }, { signal }),
    enabled: user !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
}
