import { Navigate, useParams } from 'react-router-dom';
import { PageFallback } from '../../components/page-fallback.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ApiError } from '../../lib/api.js';
import { generationPath } from '../../lib/paths.js';
import { useGenerationById } from './api/get-generation-by-id.js';
import { problemOf } from '../../lib/problem-of.js';

const NO_CREATOR_TEXT = 'Could not find creator information for this generation';

/** `/generation/{generationId}`: looks up the creator and redirects to the page of the generation. */
export default function GenerationRedirectPage(): React.ReactNode {
  const { generationId = '' } = useParams();
  const { data, error, isPending, isFetching, refetch } = useGenerationById(generationId);
  const found = data !== undefined && data.creator_username !== 'unknown';
  if (found) return <Navigate to={generationPath(data.creator_username, data.id)} replace />;
  if (isPending) return <PageFallback />;
  const missing = !(error instanceof ApiError) || [400, 404].includes(error.status);
  if (missing) return <Navigate to="/my-creations" replace state={{ error: NO_CREATOR_TEXT }} />;
  return (
    <div className="wrap flex min-h-[60svh] flex-col items-start justify-center py-16" role="alert">
      <title>Generation · Fanvas</title>
      <h1 className="display max-w-[20ch] text-44 text-balance sm:text-64">This generation could not be loaded</h1>
      <p className="mt-4 max-w-[52ch] text-18 text-ink-2">{problemOf(error)} Your images and credits are safe.</p>
      <div className="mt-8 flex flex-wrap gap-2">
        <Button kind="solid" size={48} busy={isFetching} busyLabel="Trying..." onClick={() => void refetch()}>
          Retry
        </Button>
        <ButtonLink to="/my-creations" size={48}>
          Go to My Creations
        </ButtonLink>
      </div>
    </div>
  );
}
