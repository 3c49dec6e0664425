import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router-dom';
import type { GenerationView } from '../../../../src/generation/wire.js';
import { PageFallback } from '../../components/page-fallback.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ApiError, rpc } from '../../lib/api.js';
import { isKnownPage } from '../../lib/known-pages.js';
import { generationPath } from './navigation.js';

const NO_CREATOR_TEXT = 'Could not find creator information for this generation';

/** `/generation/{generationId}`: finds out whose style it is in and goes to its page. */
export default function GenerationRedirectPage(): React.ReactNode {
  const { generationId = '' } = useParams();
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ['generation-owner', generationId],
    queryFn: ({ signal }) => rpc<GenerationView>('get_generation_by_id', { p_generation_id: generationId }, { signal }),
  });
  const found = data !== undefined && data.creator_username !== 'unknown';
  if (found) return <Navigate to={generationPath(data.creator_username, data.id)} replace />;
  if (isPending) return <PageFallback />;
  const missing = !(error instanceof ApiError) || [400, 404].includes(error.status);
  const listed = isKnownPage('/my-creations');
  if (missing && listed) return <Navigate to="/my-creations" replace state={{ error: NO_CREATOR_TEXT }} />;
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16" role="alert">
      <title>Generation · Fanvas</title>
      <h1 className="display max-w-[20ch] text-44 text-balance sm:text-64">
        {missing ? NO_CREATOR_TEXT : 'This generation could not be loaded'}
      </h1>
      <p className="mt-4 max-w-[52ch] text-18 text-ink-2">
        {missing ? 'The link may be old or not complete.' : error.message} Your images and credits are safe.
      </p>
      <div className="mt-8 flex flex-wrap gap-2">
        {!missing && (
          <Button kind="solid" size={48} busy={isFetching} busyLabel="Trying..." onClick={() => void refetch()}>
            Retry
          </Button>
        )}
        <ButtonLink to={listed ? '/my-creations' : '/'} kind={missing ? 'solid' : 'line'} size={48}>
          {listed ? 'Go to My Creations' : 'Back to Discovery'}
        </ButtonLink>
      </div>
    </div>
  );
}
