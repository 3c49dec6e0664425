import { ArrowRight } from 'lucide-react';
import { Link, Navigate, useParams } from 'react-router-dom';
import type { AdminCreatorRow } from '../../../../../src/contract/applications.js';
import { PageFallback } from '../../../components/page-fallback.js';
import { Skeletons } from '../../../components/skeleton.js';
import { ApiError } from '../../../lib/api.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { LoadProblem } from '../../../components/work-area/load-problem.js';
import { Loading } from '../../../components/loading.js';
import { GalleryEditor } from './gallery-editor.js';
import { useGallery } from './use-gallery.js';
import { Name } from '../../../components/name.js';

const CREATORS_PATH = '/admin/gallery';

interface GalleryPageProps {
  /** Called after each save: the public gallery has changed. */
  readonly onSaved: () => void;
}

/** Gallery management of one creator (creator spec, section 2). An unknown name leads back to the list. */
export function GalleryPage({ onSaved }: GalleryPageProps): React.ReactNode {
  const { username = '' } = useParams();
  // A page of its own for each creator: nothing of the one before it may show.
  return <CreatorGallery key={username} username={username} onSaved={onSaved} />;
}

function CreatorGallery({ username, onSaved }: GalleryPageProps & { readonly username: string }): React.ReactNode {
  const active = useRpc('list_creators_admin', { p_state: 'active', p_username: username });
  const archived = useRpc('list_creators_admin', { p_state: 'archived', p_username: username });
  const creator = active.data?.[0] ?? archived.data?.[0];
  if (creator) return <LoadedCreator creator={creator} onSaved={onSaved} />;
  const failed = [active, archived].find(({ error }) => error !== null);
  if (failed?.error) {
    return (
      <WorkPage title="Gallery Management" size={56} back={{ to: CREATORS_PATH, label: 'Back to Creators' }}>
        <LoadProblem
          className="mt-6"
          title={clientProblem(failed.error) ?? 'Failed to load gallery items'}
          query={failed}
        />
      </WorkPage>
    );
  }
  if (active.isPending || archived.isPending) return <PageFallback />;
  return <Navigate to={CREATORS_PATH} replace />;
}

function LoadedCreator({
  creator,
  onSaved,
}: GalleryPageProps & { readonly creator: AdminCreatorRow }): React.ReactNode {
  const gallery = useGallery(creator.id);
  const next = useNextCreator(creator);
  return (
    <WorkPage
      title={`Gallery Management: ${creator.name}`}
      name={creator.name}
      size={56}
      back={{ to: CREATORS_PATH, label: 'Back to Creators' }}
      beside={
        next && (
          <Link
            to={`${CREATORS_PATH}/${encodeURIComponent(next.username)}`}
            className="inline-flex min-h-6 items-center gap-1.5 text-14 text-ink-2 hover:text-ink"
          >
            <span>
              Next: <Name>{next.name}</Name>
            </span>
            <ArrowRight aria-hidden className="size-4" />
          </Link>
        )
      }
    >
      {gallery.data ? (
        <GalleryEditor gallery={gallery.data} onSaved={onSaved} />
      ) : gallery.isError ? (
        <LoadProblem
          className="mt-6"
          title={clientProblem(gallery.error) ?? 'Failed to load gallery items'}
          query={gallery}
        />
      ) : (
        <Loading text="Loading gallery..." className="mt-6 md:max-w-[45%]">
          <div className="grid gap-2">
            <Skeletons count={6} className="h-[84px]" />
          </div>
        </Loading>
      )}
    </WorkPage>
  );
}

/** The active or archived creator after this one in the list of creators; undefined for the last one. */
function useNextCreator({ id, is_visible: active }: AdminCreatorRow): AdminCreatorRow | undefined {
  const { data } = useRpc('list_creators_admin', { p_state: active ? 'active' : 'archived', p_after: id, p_limit: 1 });
  return data?.[0];
}

/** The text for a session that gave no client (creator spec, section 8); null for other failures. */
function clientProblem(error: Error): string | null {
  return error instanceof ApiError && error.status === 401
    ? 'Authentication error. Please try again or contact support.'
    : null;
}
