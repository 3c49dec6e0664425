import { useQueryClient } from '@tanstack/react-query';
import { Archive, EyeOff } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import { DEFAULT_ASPECT_RATIO, DRAWN_SHAPES } from '../../../../src/contract/aspect-ratios.js';
import { CANCELLABLE_AFTER_MS } from '../../../../src/contract/limits.js';
import { GENERATION_COST } from '../../../../src/contract/prices.js';
import type { GalleryItem, PublicCreator } from '../../../../src/contract/gallery.js';
import type { GenerationView } from '../../../../src/contract/generation.js';
import type { ImageInfo } from '../../../../src/contract/media.js';
import { pictureTitle } from '../../../../src/contract/picture-title.js';
import { Banner } from '../../components/badge.js';
import type { ApiError } from '../../lib/api-error.js';
import { useViewer } from '../../lib/auth.js';
import { cx } from '../../lib/cx.js';
import { promptDrafts } from './prompt-drafts.js';
import {
  ARCHIVED_TEXT,
  FAILED_TEXT,
  HIDDEN_BY_ADMIN_TEXT,
  moderationReason,
  TAKEN_DOWN_TEXT,
  CONNECTION_TROUBLE_TEXT,
  isStoppedByWithdrawal,
  LEFT_TEXT,
  NOT_FOUND_TEXT,
  SIGN_IN_AGAIN_TEXT,
  formatElapsed,
  toShownGeneration,
  WRONG_CREATOR_TEXT,
  type GenerationFacts,
  type ShownGeneration,
} from './generation-view.js';
import { INVALID_OUTPUT_TEXT } from './failure-reason.js';
import { useHydrated } from '../../lib/first-draw.js';
import { generationKey } from '../../lib/generation-key.js';
import { generationPath } from '../../lib/paths.js';
import { siteOrigin } from '../../lib/site-origin.js';
import { CreatorLine } from './components/creator-line.js';
import { GalleryPaging, type PressedStep } from './components/gallery-paging.js';
import { GenerationFrame } from './components/generation-frame.js';
import { LoadingScreen, MissingScreen } from './components/generation-screens.js';
import { EndedSide, PendingSide } from './components/generation-side.js';
import { EndedFoot, FinishedImage, PendingFoot, PosterPanel } from './components/generation-panels.js';
import { ImageActions } from './components/image-actions.js';
import { ImageCredits } from './components/image-credits.js';
import { useImageMetadata } from './image-metadata.js';
import type { CreditsListener } from './credits-listener.js';
import { toListedView } from './listed-picture.js';
import { forgetRunning, generationNavState, type GenerationNavState } from './navigation.js';
import { OwnerActions } from './components/owner-actions.js';
import { PromptBar } from './components/prompt-bar.js';
import { ReportImage } from './components/report-dialog.js';
import { notifyOfEnd } from './end-notification.js';
import { noteGenerationEnded } from './api/has-active-pending-generation.js';
import { useCancel } from './use-cancel.js';
import { useDownload } from './use-download.js';
import { galleryPlace, placeText, useArrowKeys, type GalleryPlace } from './use-gallery-paging.js';
import { useFollowedGeneration } from '../../lib/use-followed-generation.js';
import { useNow } from './use-now.js';
import type { PromptBarHandle } from './use-prompt-bar.js';

/**
 * For this long after a start, the navigation state counts as fresh, and the generation is shown as pending at once.
 */
const FRESH_MS = 30_000;

/** A picture of the gallery is checked when its viewer stays there for this long: the arrows alone cost no calls. */
const REST_MS = 500;

interface GenerationPageProps {
  /** The creator of the address, once known. */
  readonly creator: PublicCreator | null;
  /** The pictures of the creator's gallery, once known. */
  readonly pictures: readonly GalleryItem[];
  /** That gallery, to show below the generation. */
  readonly gallery: React.ReactNode;
  /** The fan's credits, once known. */
  readonly balance: number | undefined;
  /** When free credits come; shown when the fan has too few. */
  readonly refill: React.ReactNode;
  readonly onCreditsChange: CreditsListener;
  /** Called after a picture was hidden, shown again or deleted: public lists with it are out of date. */
  readonly onListsChange: () => void;
}

/** `/{username}/generate/{generationId}`: one generation, from its start to its end. */
export function GenerationPage(props: GenerationPageProps): React.ReactNode {
  const { username = '', generationId = '' } = useParams();
  const pressedRef = useRef<-1 | 1 | null>(null);
  // Outside the screen, which is remounted for each picture.
  const [announced, setAnnounced] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  return (
    <div ref={frame} tabIndex={-1} className="outline-none">
      <p role="status" className="sr-only">
        {announced}
      </p>
      <GenerationScreen
        key={generationId}
        {...props}
        username={username}
        generationId={generationId}
        pressedRef={pressedRef}
        paged={announced !== ''}
        onPaged={(place) => {
          setAnnounced(placeText(place));
          frame.current?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
}

interface GenerationScreenProps extends GenerationPageProps {
  readonly username: string;
  readonly generationId: string;
  readonly pressedRef: PressedStep;
  /** The page came here from another picture of the gallery. */
  readonly paged: boolean;
  /** Called before it shows another picture of the gallery. */
  readonly onPaged: (place: GalleryPlace) => void;
}

function GenerationScreen({
  username,
  generationId,
  creator,
  pictures,
  gallery,
  balance,
  refill,
  onCreditsChange,
  onListsChange,
  pressedRef,
  paged,
  onPaged,
}: GenerationScreenProps): React.ReactNode {
  const location = useLocation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const viewer = useViewer();
  const nav = generationNavState(location.state);
  const followed = useFollowedGeneration(generationId, paged ? REST_MS : 0);
  const { row, refusal, trouble, checkNow, show } = followed;
  const [placeholder] = useState(() => placeholderOf(nav));
  const facts = row ?? (viewer.expectSignedIn ? placeholder : null);
  const pending = facts !== null && toShownGeneration(facts, 0).pending;
  const now = useNow(pending) + followed.clockSkewMs;
  const { cancelling, cancel } = useCancel(generationId, followed);
  const { downloading, download } = useDownload(row?.creator_username ?? username);
  const poster = usePosterBehind(pending);
  const [awaited, setAwaited] = useState(pending);
  if (pending && !awaited) setAwaited(true);
  const bar = useRef<PromptBarHandle>(null);
  const frame = useFocusKept(pending);
  const archived = row !== null && !row.creator_is_visible;
  const left = archived && (creator?.withdrawn === true || isStoppedByWithdrawal(row));
  const open = creator && !archived ? creator : null;
  const hydrated = useHydrated();
  const place = open && galleryPlace(pictures, generationId);
  // Replaces the history entry, so that the back link skips the pictures between.
  const goTo = (index: number): void => {
    const item = place?.items[index];
    if (!place || !item || !open) return;
    cache.setQueryData(generationKey(item.id), toListedView(item, open));
    onPaged({ items: place.items, index });
    const { returnTo, returnPlace } = nav;
    void navigate(generationPath(username, item.id), { replace: true, state: { returnTo, returnPlace } });
  };
  useArrowKeys(place ? (step) => goTo(place.index + step) : null);
  useEnd(row, placeholder !== null, onCreditsChange);
  useImageMetadata(row);
  useDeparture(left && creator?.withdrawn === false, onListsChange);

  const aspectRatio = row?.aspect_ratio ?? nav.aspectRatio ?? DEFAULT_ASPECT_RATIO;
  const listed = pictures.find(({ id }) => id === generationId)?.image;
  const existing = creator ? username : null;
  if (refusal) {
    if (viewer.status === 'loading') return <LoadingScreen identity trouble={false} onRetry={checkNow} />;
    if (viewer.status === 'signed-out') {
      const returnTo = location.pathname + location.search;
      return <Navigate to="/sign-in" replace state={{ returnTo, previousState: location.state as unknown }} />;
    }
    return <MissingScreen text={refusalText(refusal)} username={existing} />;
  }
  if (row && row.creator_username !== 'unknown' && row.creator_username.toLowerCase() !== username.toLowerCase()) {
    return <MissingScreen text={WRONG_CREATOR_TEXT} username={existing} />;
  }
  const expected = listed ?? DRAWN_SHAPES[aspectRatio];
  if (!facts) {
    const identity = viewer.status === 'loading' && viewer.expectSignedIn;
    return <LoadingScreen shape={expected} identity={identity} trouble={trouble} onRetry={checkNow} />;
  }

  // Whether the picture is this person's own.
  const unsure = paged && viewer.status !== 'signed-out' && !followed.confirmed;
  const prompt = row?.prompt ?? nav.prompt ?? '';
  const image = row?.status === 'completed' ? imageOf(row) : null;
  const view =
    row?.status === 'completed' && !image
      ? withoutImage(toShownGeneration(facts, now), row)
      : toShownGeneration(facts, now);
  const retryable = open !== null && !open.paused && row?.is_owner === true && row.moderation === null;
  const startAgain = retryable ? () => bar.current?.start({ prompt, aspectRatio }) : undefined;
  const changePrompt = retryable ? () => bar.current?.fill({ prompt, aspectRatio }) : undefined;
  const shown = row && image ? { id: row.id, image, prompt } : null;
  const remix = (source: PublicCreator): void => {
    promptDrafts.save(source.id, { prompt, aspectRatio });
    const state: GenerationNavState = {
      prompt,
      aspectRatio,
      creatorId: source.id,
      remixSource: { title: prompt, url: location.pathname, image: image ?? undefined },
      returnTo: location.pathname,
    };
    void navigate(`/${encodeURIComponent(source.username)}/generate`, { state });
  };

  return (
    <>
      <title translate="no">{`${view.pending ? `(${formatElapsed(view.elapsedSeconds)}) ` : ''}${pictureTitle(prompt, row?.creator_name ?? creator?.name ?? 'Fanvas')}`}</title>
      <p role="status" className="sr-only">
        {trouble && view.pending
          ? CONNECTION_TROUBLE_TEXT
          : // A generation that was already finished is not announced.
            (awaited || view.state !== 'completed') && announcement(view)}
      </p>
      <GenerationFrame
        shape={image ?? expected}
        paging={
          place && <GalleryPaging place={place} pressedRef={pressedRef} onStep={(step) => goTo(place.index + step)} />
        }
        banner={
          archived ? (
            <Banner tone="warn" icon={<Archive aria-hidden />}>
              {left ? LEFT_TEXT : ARCHIVED_TEXT}
            </Banner>
          ) : (
            row?.hidden && image && <HiddenBanner row={row} />
          )
        }
        pictureRef={frame}
        picture={
          <>
            {(image === null || poster.shown) && (
              <PosterPanel prompt={prompt} muted={!view.pending && image === null} hidden={image !== null}>
                {view.pending || image ? (
                  <PendingFoot view={view} trouble={trouble} cancelling={cancelling} onCancel={() => void cancel()} />
                ) : (
                  <EndedFoot
                    view={view}
                    refunded={row?.refunded === true}
                    cost={open?.credit_cost ?? GENERATION_COST}
                    onStartAgain={startAgain}
                    onChangePrompt={changePrompt}
                  />
                )}
              </PosterPanel>
            )}
            {image && shown && (
              <FinishedImage
                image={image}
                prompt={prompt}
                pictures={place ? place.items.map((item) => (item.id === shown.id ? shown : item)) : [shown]}
                onSwipe={place ? (step) => goTo(place.index + step) : undefined}
                onMove={(id) => goTo(place?.items.findIndex((item) => item.id === id) ?? -1)}
                fade={poster.shown}
                onShown={poster.hide}
                onDownload={({ id, image: { url }, prompt: words }) => download({ id, url, prompt: words })}
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
                  {image && shown && (
                    <ImageActions
                      url={siteOrigin() + generationPath(username, row.id)}
                      creatorName={row.creator_name}
                      downloading={downloading}
                      onDownload={(format) => download({ id: row.id, url: image.url, prompt: row.prompt, format })}
                      onRemix={open && !open.paused ? () => remix(open) : undefined}
                    />
                  )}
                  <div
                    className={cx('mt-4 border-t border-line pt-3 [&>*]:-ml-4 noscript:hidden', unsure && 'invisible')}
                  >
                    {row.is_owner && row.moderation?.decision === 'taken_down' ? null : row.is_owner ? (
                      <OwnerActions row={row} onChange={show} onListsChange={onListsChange} />
                    ) : (
                      image && <ReportImage generationId={row.id} />
                    )}
                  </div>
                  {row.is_owner && image && <ImageCredits row={row} />}
                </EndedSide>
              ) : (
                <PendingSide view={view} cost={row?.credit_cost ?? creator?.credit_cost ?? GENERATION_COST} />
              )}
            </div>
          </>
        }
      >
        {open && <div className="mt-12 sm:mt-14">{gallery}</div>}
      </GenerationFrame>
      {/* It shows what this browser has stored, and needs scripts. */}
      {open && hydrated && (
        <PromptBar
          ref={bar}
          creator={open}
          initialPrompt={view.state === 'completed' || row?.is_owner === false ? '' : prompt}
          initialAspectRatio={row?.is_owner === false ? undefined : aspectRatio}
          activeGenerationId={view.pending ? generationId : null}
          startMinimised={view.state === 'completed'}
          balance={balance}
          refill={refill}
          onCreditsChange={onCreditsChange}
        />
      )}
    </>
  );
}

/** Why others do not see the image. */
function HiddenBanner({ row: { moderation } }: { readonly row: GenerationView }): React.ReactNode {
  return (
    <Banner tone={moderation ? 'warn' : 'neutral'} icon={<EyeOff aria-hidden />}>
      {moderation ? `${HIDDEN_BY_ADMIN_TEXT} ${moderationReason(moderation)}` : 'Only you can see this image.'}
    </Banner>
  );
}

/** Announced when it changes: the state, and after a failure its reason and the credits. */
function announcement({ headline, detail, creditsNote }: ShownGeneration): string {
  if (creditsNote === null) return headline;
  return [headline, detail, creditsNote]
    .filter((text) => text !== null)
    .map((text) => (text.endsWith('.') ? text : `${text}.`))
    .join(' ');
}

/** The facts of a generation that was just started in this tab, before the first answer of the server. */
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
    cancellable_at: new Date(startedAt + CANCELLABLE_AFTER_MS).toISOString(),
    phase: 'queued',
    drawing_at: null,
    finishing_at: null,
    completed_at: null,
  };
}

/** Text for a generation that this viewer may not see (fan spec, section 8). */
function refusalText({ status }: ApiError): string {
  if (status === 401) return 'Authentication error. Please try again.';
  return status === 403 ? SIGN_IN_AGAIN_TEXT : NOT_FOUND_TEXT;
}

/** A completed generation without an image is shown as failed, or as taken down. */
function withoutImage(view: ShownGeneration, { moderation }: GenerationView): ShownGeneration {
  if (moderation?.decision === 'taken_down') {
    return { ...view, state: 'failed', headline: TAKEN_DOWN_TEXT, detail: moderationReason(moderation) };
  }
  return {
    ...view,
    state: 'failed',
    headline: FAILED_TEXT,
    detail: INVALID_OUTPUT_TEXT,
  };
}

/** Older rows have an address only. */
function imageOf(row: GenerationView): ImageInfo | null {
  if (row.image || row.image_url === null) return row.image;
  return { url: row.image_url, width: 1024, height: 1024, thumbhash: '', sources: [] };
}

/** Keeps the poster behind the finished picture until the picture covers it, when the generation was seen pending. */
function usePosterBehind(pending: boolean): { readonly shown: boolean; readonly hide: () => void } {
  const [shown, setShown] = useState(pending);
  if (pending && !shown) setShown(true);
  return { shown, hide: useCallback(() => setShown(false), []) };
}

/** Moves the focus to the frame when the focused button disappears with the end of the generation. */
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

/** Has the creator fetched again when they have left since. */
function useDeparture(unknown: boolean, onListsChange: () => void): void {
  useEffect(() => {
    if (unknown) onListsChange();
  }, [unknown, onListsChange]);
}

/** Reports the end of a generation to the rest of the app, once. */
function useEnd(row: GenerationView | null, startedHere: boolean, onCreditsChange: CreditsListener): void {
  const before = useRef<GenerationView | null>(null);
  useEffect(() => {
    if (!row) return;
    const known = before.current;
    before.current = row;
    if (row.status === 'pending') return;
    forgetRunning(generationPath(row.creator_username, row.id));
    if (known === null ? startedHere : known.status === 'pending') {
      noteGenerationEnded();
      notifyOfEnd(row, () => undefined);
    }
    if (row.refunded && (known === null ? startedHere : !known.refunded)) onCreditsChange('refund');
  }, [row, startedHere, onCreditsChange]);
}
