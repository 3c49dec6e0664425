import { matchPath } from 'react-router-dom';
import { isReservedSegment } from '../../../src/contract/paths.js';
import { galleryPageQuery } from '../features/creators/api/get-gallery-generations.js';
import { publicCreatorQuery } from '../features/creators/api/get-public-creator-by-username.js';
import { isListed } from '../features/creators/listing.js';
import { queryClient } from '../lib/query.js';
import { creatorPages, pages } from './pages.js';

/** Fetches the code and the data of the first page before anything is rendered. */
export function headStart(pathname: string): void {
  const route = [...pages, ...creatorPages].find(({ path }) => matchPath(path, pathname));
  // Code for a role waits for the check of the role.
  if (route && (route.access === undefined || route.access === 'user')) {
    route.load().catch((error: unknown) => {
      // The router loads the same module again, and shows the page's error screen.
      console.warn('The code of the page could not be fetched ahead', error);
    });
  }
  const username = route && matchPath(route.path, pathname)?.params['username'];
  if (route && username && !isReservedSegment(username)) void askFor(username, route.path === '/:username');
}

async function askFor(username: string, withGallery: boolean): Promise<void> {
  const query = publicCreatorQuery(username);
  await queryClient.prefetchQuery(query);
  const creator = queryClient.getQueryData(query.queryKey);
  if (withGallery && creator && isListed(creator)) await queryClient.prefetchQuery(galleryPageQuery(creator.id, 0));
}
