import { useQuery } from '@tanstack/react-query';
import { Archive } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useParams } from 'react-router-dom';
import type { GenerationView } from '../../../../src/generation/wire.js';
import type { ImageInfo } from '../../../../src/platform/media/wire.js';
import { Banner } from '../../components/ui/badge.js';
import { useViewer } from '../../lib/auth.js';
import { creatorByUsername } from '../../lib/creators.js';
import { refreshCredits } from '../../lib/credits.js';
import {
  ARCHIVED_TEXT,
  CONNECTION_TROUBLE_TEXT,
  CREDIT_COST,
  NOT_FOUND_TEXT,
  viewOf,
  WRONG_CREATOR_TEXT,
  type GenerationFacts,
  type ShownGeneration,
} from '../../lib/generation-view.js';
import { GalleryGrid } from '../creators/gallery-grid.js';
import { CreatorLine } from './creator-line.js';
import { GenerationFrame } from './generation-frame.js';
import { LoadingScreen, MissingScreen } from './generation-screens.js';
import { EndedSide, PendingSide } from './generation-side.js';
import { EndedFoot, FinishedImage, PendingFoot, PosterPanel } from './generation-square.js';
import { ImageActions } from './image-actions.js';
import { useImageMetadata } from './image-metadata.js';
import { forgetRunning, generationNavState, generationPath, type GenerationNavState } from './navigation.js';
import { PromptBar, type PromptBarHandle } from './prompt-bar.js';
import { noteGenerationEnded } from './use-active-generation.js';
import { useCancel } from './use-cancel.js';
import { useDownload } from './use-download.js';
import { useGeneration } from './use-generation.js';
import { useNow } from './use-now.js';

/** For this long after a start the navigation state is news, and the generation is shown as pending at once. */
const FRESH_MS = 30_000;

/** `/{username}/generate/{generationId}`: one generation, from its start to its end. */
export default function GenerationPage(): React.ReactNode {
  const { username = '', generationId = '' } = useParams();
  return <GenerationScreen key={generationId} username={username} generationId={generationId} />;
}

function GenerationScreen({ username, generationId }: { username: string; generationId: string }): React.ReactNode {
  const location = useLocation();
  const viewer = useViewer();
  const nav = generationNavState(location.state);
  const followed = useGeneration(generationId);
  const { row, refusal, trouble, checkNow } = followed;
  const { data: creator } = useQuery(creatorByUsername(username));
  const [placeholder] = useState(() => placeholderOf(nav));
  const facts = row ?? placeholder;
  const pending = facts !== null && viewOf(facts, 0).pending;
  const now = useNow(pending) + followed.clockSkewMs;
  const { cancelling, cancel } = useCancel(followed);
  const { downloading, download } = useDownload(row);
  const poster = usePosterBehind(pending);
  const bar = useRef<PromptBarHandle>(null);
  const square = useFocusKept(pending);
  useEnd(row, placeholder !== null);
  useImageMetadata(row);

  const existing = creator ? username : null;
  if (refusal) {
    if (viewer.status === 'loading') return <LoadingScreen trouble={false} onRetry={checkNow} />;
    if (viewer.status === 'signed-out' && !viewer.unavailable) {
      const returnTo = location.pathname + location.search;
      return <Navigate to="/sign-in" replace state={{ returnTo, previousState: location.state as unknown }} />;
    }
    const text = refusal.status === 401 ? 'Authentication error. Please try again.' : NOT_FOUND_TEXT;
    return <MissingScreen text={text} username={existing} />;
  }
  if (row && row.creator_username !== 'unknown' && row.creator_username.toLowerCase() !== username.toLowerCase()) {
    return <MissingScreen text={WRONG_CREATOR_TEXT} username={existing} />;
  }
  if (!facts) return <LoadingScreen trouble={trouble} onRetry={checkNow} />;

  const view = viewOf(facts, now);
  const prompt = row?.prompt ?? nav.prompt ?? '';
  const image = row?.status === 'completed' ? imageOf(row) : null;
  const archived = row !== null && !row.creator_is_visible;
  const open = creator && !archived ? creator : null;
  const reuse = open ? () => bar.current?.fill(prompt) : undefined;

  return (
    <>
      <title>{`${prompt.slice(0, 80)} · ${row?.creator_name ?? creator?.name ?? 'Fanvas'}`}</title>
      <p role="status" className="sr-only">
        {trouble && view.pending ? CONNECTION_TROUBLE_TEXT : announcement(view)}
      </p>
      <GenerationFrame
        banner={
          archived && (
            <Banner tone="warn" icon={<Archive aria-hidden />}>
              {ARCHIVED_TEXT}
            </Banner>
          )
        }
        squareRef={square}
        square={
          <>
            {(image === null || poster.shown) && (
              <PosterPanel prompt={prompt} muted={!view.pending && image === null} hidden={image !== null}>
                {view.pending || image ? (
                  <PendingFoot view={view} trouble={trouble} cancelling={cancelling} onCancel={() => void cancel()} />
                ) : (
                  <EndedFoot view={view} onRetry={row?.is_owner ? reuse : undefined} />
                )}
              </PosterPanel>
            )}
            {image && (
              <FinishedImage
                image={image}
                prompt={prompt}
                fade={poster.shown}
                onShown={poster.hide}
                onDownload={download}
              />
            )}
          </>
        }
        side={
          <>
            {(row ?? creator) && (
              <CreatorLine
                name={creator?.name ?? row?.creator_name ?? username}
                username={username}
                profile={creator?.profile ?? null}
                profileImage={creator?.profile_image ?? null}
              />
            )}
            <div className="mt-7">
              {row && !view.pending ? (
                <EndedSide row={row} view={view}>
                  {image && (
                    <ImageActions
                      url={window.location.origin + generationPath(username, row.id)}
                      creatorName={row.creator_name}
                      downloading={downloading}
                      onDownload={download}
                      onRemix={reuse}
                    />
                  )}
                </EndedSide>
              ) : (
                <PendingSide view={view} cost={row?.credit_cost ?? CREDIT_COST} />
              )}
            </div>
          </>
        }
      >
        {open && (
          <div className="mt-12 sm:mt-14">
            <GalleryGrid creator={open} title="FAN ART GALLERY" />
          </div>
        )}
      </GenerationFrame>
      {open && (
        <PromptBar
          ref={bar}
          creator={open}
          initialPrompt={view.state === 'completed' || row?.is_owner === false ? '' : prompt}
          activeGenerationId={view.pending ? generationId : null}
          startMinimised={view.state === 'completed'}
        />
      )}
    </>
  );
}

/** What is read aloud when it changes: where it stands and, once it has failed, the credits. */
function announcement({ headline, creditsNote }: ShownGeneration): string {
  return creditsNote === null ? headline : `${headline.replace(/\.$/, '')}. ${creditsNote}`;
}

/** What is known about a generation that was started here a moment ago, before the server has said anything. */
function placeholderOf({ prompt, startedAt }: GenerationNavState): GenerationFacts | null {
  if (prompt === undefined || startedAt === undefined || Date.now() - startedAt > FRESH_MS) return null;
  const created = new Date(startedAt).toISOString();
  return {
    status: 'pending',
    error_message: null,
    refunded: false,
    credits_closed: false,
    refund_reason: null,
    created_at: created,
    updated_at: created,
    cancelled: false,
    cancellable_at: null,
    phase: 'queued',
    drawing_at: null,
    finishing_at: null,
    completed_at: null,
  };
}

/** Older rows may have an address only. */
function imageOf(row: GenerationView): ImageInfo | null {
  if (row.image || row.image_url === null) return row.image;
  return { url: row.image_url, width: 1024, height: 1024, thumbhash: '', sources: [] };
}

/** The poster stays behind the finished picture until that covers it, where someone was watching. */
function usePosterBehind(pending: boolean): { readonly shown: boolean; readonly hide: () => void } {
  const [shown, setShown] = useState(pending);
  if (pending && !shown) setShown(true);
  return { shown, hide: useCallback(() => setShown(false), []) };
}

/** The button that had the focus may go with the end of the generation; the focus then stays at its place. */
function useFocusKept(pending: boolean): React.RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const was = useRef(pending);
  useEffect(() => {
    if (was.current && !pending && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true });
    was.current = pending;
  }, [pending]);
  return place;
}

/** What the rest of the app must hear about the end of a generation. */
function useEnd(row: GenerationView | null, startedHere: boolean): void {
  const before = useRef<GenerationView | null>(null);
  useEffect(() => {
    if (!row) return;
    const known = before.current;
    before.current = row;
    if (row.status === 'pending') return;
    forgetRunning(generationPath(row.creator_username, row.id));
    if (known === null ? startedHere : known.status === 'pending') noteGenerationEnded();
    if (row.refunded && (known === null ? startedHere : !known.refunded)) refreshCredits('refund');
  }, [row, startedHere]);
}
