import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { DEFAULT_ASPECT_RATIO, DRAWN_SHAPES } from '../../../../src/contract/aspect-ratios.js';
import type { GalleryItem, PublicCreator } from '../../../../src/contract/gallery.js';
import type { GenerationView } from '../../../../src/contract/generation.js';
import { useViewer } from '../../lib/auth.js';
import { generationKey } from '../../lib/generation-key.js';
import { generationPath } from '../../lib/paths.js';
import { useFollowedGeneration } from '../../lib/use-followed-generation.js';
import { useWasTrue } from '../../lib/use-was-true.js';
import { noteGenerationEnded } from './api/has-active-pending-generation.js';
import type { CreditsListener } from './credits-listener.js';
import { notifyOfEnd } from './end-notification.js';
import {
  announcement,
  imageOf,
  isStoppedByWithdrawal,
  placeholderOf,
  refusalText,
  toShownGeneration,
  withoutImage,
  WRONG_CREATOR_TEXT,
} from './generation-view.js';
import { useImageMetadata } from './image-metadata.js';
import { toListedView } from './listed-picture.js';
import { forgetRunning, generationNavState, type GenerationNavState } from './navigation.js';
import { promptDrafts } from './prompt-drafts.js';
import { useCancel } from './use-cancel.js';
import { useDownload } from './use-download.js';
import { galleryPlace, useArrowKeys, type GalleryPlace } from './use-gallery-paging.js';
import { useNow } from './use-now.js';

/** A picture of the gallery is checked when its viewer stays there for this long: the arrows alone cost no calls. */
const REST_MS = 500;

export interface GenerationPageOptions {
  /** The creator of the address, once known. */
  readonly creator: PublicCreator | null;
  /** The pictures of the creator's gallery, once known. */
  readonly pictures: readonly GalleryItem[];
  readonly onCreditsChange: CreditsListener;
  /** Called after a picture was hidden, shown again or deleted: public lists with it are out of date. */
  readonly onListsChange: () => void;
}

export interface GenerationScreenOptions extends GenerationPageOptions {
  readonly username: string;
  readonly generationId: string;
  /** The page came here from another picture of the gallery. */
  readonly paged: boolean;
  /** Called before it shows another picture of the gallery. */
  readonly onPaged: (place: GalleryPlace) => void;
}

/** A generation that this person may see. */
export type ShownScreen = Extract<ReturnType<typeof useGenerationPage>, { readonly kind: 'shown' }>;

/** Follows a generation: the screen that its page shows now, and the acts on it. */
export function useGenerationPage({
  username,
  generationId,
  creator,
  pictures,
  onCreditsChange,
  onListsChange,
  paged,
  onPaged,
}: GenerationScreenOptions) {
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
  const awaited = useWasTrue(pending);
  const archived = row !== null && !row.creator_is_visible;
  const creatorHasLeft = archived && (creator?.withdrawn === true || isStoppedByWithdrawal(row));
  const open = creator && !archived ? creator : null;
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
  const step = (by: -1 | 1): void => goTo((place?.index ?? 0) + by);
  useArrowKeys(place ? step : null);
  useEnd(row, placeholder !== null, onCreditsChange);
  useImageMetadata(row);
  useDeparture(creatorHasLeft && creator?.withdrawn === false, onListsChange);

  if (refusal) {
    if (viewer.status === 'loading') {
      return { kind: 'loading', identity: true, trouble: false, onRetry: checkNow } as const;
    }
    if (viewer.status === 'signed-out') return { kind: 'signed-out' } as const;
    return { kind: 'missing', text: refusalText(refusal) } as const;
  }
  if (row && row.creator_username !== 'unknown' && row.creator_username.toLowerCase() !== username.toLowerCase()) {
    return { kind: 'missing', text: WRONG_CREATOR_TEXT } as const;
  }
  const aspectRatio = row?.aspect_ratio ?? nav.aspectRatio ?? DEFAULT_ASPECT_RATIO;
  const listed = pictures.find(({ id }) => id === generationId)?.image;
  const shape = listed ?? DRAWN_SHAPES[aspectRatio];
  if (!facts) {
    const identity = viewer.status === 'loading' && viewer.expectSignedIn;
    return { kind: 'loading', shape, identity, trouble, onRetry: checkNow } as const;
  }

  const prompt = row?.prompt ?? nav.prompt ?? '';
  const image = row?.status === 'completed' ? imageOf(row) : null;
  const known = toShownGeneration(facts, now);
  const view = row?.status === 'completed' && !image ? withoutImage(known, row) : known;
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
  return {
    kind: 'shown',
    row,
    view,
    prompt,
    aspectRatio,
    image,
    trouble,
    archived,
    creatorHasLeft,
    place,
    poster,
    cancelling,
    cancel,
    downloading,
    download,
    show,
    step,
    /** The shape of the frame. */
    shape: image ?? shape,
    /** The creator, while images in this style can be seen. */
    open,
    /** A generation that was already finished is not announced. */
    announced: (awaited || view.state !== 'completed') && announcement(view),
    /** Not known yet whether the picture is this person's own. */
    unsure: paged && viewer.status !== 'signed-out' && !followed.confirmed,
    /** The owner may start the same prompt again. */
    retryable: open !== null && !open.paused && row?.is_owner === true && row.moderation === null,
    remix: open && !open.paused ? () => remix(open) : undefined,
    showPicture: (id: string) => goTo(place?.items.findIndex((item) => item.id === id) ?? -1),
  } as const;
}

/** Keeps the poster behind the finished picture until the picture covers it, when the generation was seen pending. */
function usePosterBehind(pending: boolean): { readonly shown: boolean; readonly hide: () => void } {
  const [shown, setShown] = useState(pending);
  if (pending && !shown) setShown(true);
  return { shown, hide: useCallback(() => setShown(false), []) };
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
