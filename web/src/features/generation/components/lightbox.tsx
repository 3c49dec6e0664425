import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import * as Dialog from '@radix-ui/react-dialog';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ImageInfo } from '../../../../../src/contract/media.js';
import { IconButton } from '../../../components/button.js';
import { useFocusReturn } from '../../../components/dialog.js';
import { MissingPicture, useMissingPicture } from '../../../components/missing-picture.js';
import { srcSets } from '../../../components/picture.js';
import { cx } from '../../../lib/cx.js';
import { useWasTrue } from '../../../lib/use-was-true.js';
import { arrowStep } from '../arrow-step.js';
import { SWIPEABLE, useSwipe } from '../swipe-step.js';

export interface LightboxPicture {
  readonly id: string;
  readonly image: ImageInfo;
  /** Used as alternative text. */
  readonly prompt: string;
}

interface LightboxProps {
  readonly pictures: readonly LightboxPicture[];
  /** Index of the picture that it opens with. */
  readonly start: number;
  /** Called when it was closed at another picture than it opened with. */
  readonly onMove: (id: string) => void;
  readonly onDownload: (picture: LightboxPicture) => void;
  /** The button that opens it. */
  readonly children: React.ReactElement;
}

/**
 * The picture over the whole screen. Escape, the close button, a click and the browser's Back close it. In a gallery,
 * arrow keys, buttons and swipes show the previous and next picture.
 */
export function Lightbox({ pictures, start, onMove, onDownload, children }: LightboxProps): React.ReactNode {
  // Null until the person moves on: the gallery, and with it the start, may arrive after the picture.
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen ?? start;
  const { open, show, close } = useHistoryEntry(() => {
    const shown = pictures[at];
    if (at !== start && shown) onMove(shown.id);
    setChosen(null);
  });
  const step = (by: -1 | 1): void => {
    if (pictures[at + by] !== undefined) setChosen(at + by);
  };
  const swipe = useSwipe(step);
  const focusReturn = useFocusReturn();
  // As in `Modal`.
  const wasOpen = useWasTrue(open);
  const picture = pictures[at] ?? pictures[start];
  if (!picture) return children;
  const { image, prompt } = picture;
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? show() : close())}>
      <Dialog.Trigger asChild>{children}</Dialog.Trigger>
      {wasOpen && (
        <Dialog.Portal>
          <Dialog.Overlay className="data-[state=open]:fade-in fixed inset-0 z-(--z-dialog) bg-bg" />
          <Dialog.Content
            aria-describedby={undefined}
            {...focusReturn}
            className={cx(
              'data-[state=open]:fade-in fixed inset-0 z-(--z-dialog) flex items-center justify-center outline-none',
              SWIPEABLE,
            )}
            {...swipe}
            onKeyDown={(event) => {
              const by = arrowStep(event);
              if (by === null) return;
              event.preventDefault();
              step(by);
            }}
          >
            <Dialog.Title translate="no" className="sr-only">
              {prompt}
            </Dialog.Title>
            <p role="status" className="sr-only">
              {chosen !== null && (
                <span>
                  <span>
                    Picture {at + 1} of {pictures.length}:
                  </span>{' '}
                  <span translate="no">{prompt}</span>
                </span>
              )}
            </p>
            <Dialog.Close asChild>
              <button type="button" tabIndex={-1} aria-hidden className="absolute inset-0 cursor-zoom-out" />
            </Dialog.Close>
            <FullPicture key={picture.id} image={image} alt={prompt} />
            {pictures.length > 1 && (
              <>
                <Arrow side="left" disabled={at === 0} onClick={() => step(-1)} />
                <Arrow side="right" disabled={at === pictures.length - 1} onClick={() => step(1)} />
              </>
            )}
            <div className="absolute right-3 top-3 flex items-center gap-2 rounded-ctl bg-bg/85 p-1 sm:right-5 sm:top-5">
              {pictures.length > 1 && (
                <span aria-hidden className="px-2 text-14 tabular-nums text-ink-2">
                  {at + 1} / {pictures.length}
                </span>
              )}
              <IconButton label="Download" onClick={() => onDownload(picture)}>
                <Download aria-hidden className="size-5" />
              </IconButton>
              <Dialog.Close asChild>
                <IconButton label="Close">
                  <X aria-hidden className="size-5" />
                </IconButton>
              </Dialog.Close>
            </div>
          </Dialog.Content>
        </Dialog.Portal>
      )}
    </Dialog.Root>
  );
}

/**
 * Open state of an overlay as an entry in the history, so that Back closes the overlay and stays on the page, as people
 * expect on a phone. `onClosed` is called when that entry is left.
 */
function useHistoryEntry(onClosed: () => void): {
  readonly open: boolean;
  readonly show: () => void;
  readonly close: () => void;
} {
  const location = useLocation();
  const navigate = useNavigate();
  const state = location.state as { readonly fullScreen?: unknown } | null;
  const open = state?.fullScreen === true;
  const was = useRef(open);
  useEffect(() => {
    if (was.current && !open) onClosed();
    was.current = open;
  });
  return {
    open,
    show: () => void navigate(location, { state: { ...state, fullScreen: true } }),
    close: () => void navigate(-1),
  };
}

function FullPicture({ image, alt }: { image: ImageInfo; alt: string }): React.ReactNode {
  const sizes = `min(100vw, ${(100 * image.width) / image.height}vh)`;
  const file = useMissingPicture();
  return (
    <>
      <picture key={file.attempt} className="contents">
        {srcSets(image.sources).map((set) => (
          <source key={set.type} {...set} sizes={sizes} />
        ))}
        <img
          src={image.url}
          alt={alt}
          width={image.width}
          height={image.height}
          onLoad={file.listeners.onLoad}
          onError={file.listeners.onError}
          className={cx('pointer-events-none relative size-full object-contain sm:p-6', file.missing && 'invisible')}
        />
      </picture>
      {file.missing && <MissingPicture state={file} large />}
    </>
  );
}

/** Stays in place at the ends, so that a pressed button keeps the focus. */
function Arrow({
  side,
  disabled,
  onClick,
}: {
  readonly side: 'left' | 'right';
  readonly disabled: boolean;
  readonly onClick: () => void;
}): React.ReactNode {
  const Icon = side === 'left' ? ChevronLeft : ChevronRight;
  return (
    <div
      className={`absolute bottom-3 rounded-ctl bg-bg/85 p-1 sm:bottom-auto sm:top-1/2 sm:-translate-y-1/2 ${side === 'left' ? 'left-3 sm:left-5' : 'right-3 sm:right-5'}`}
    >
      <IconButton
        label={side === 'left' ? 'Previous picture' : 'Next picture'}
        aria-disabled={disabled}
        className="aria-disabled:cursor-default aria-disabled:opacity-40"
        onClick={onClick}
      >
        <Icon aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}
