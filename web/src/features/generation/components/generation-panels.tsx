import { CircleSlash, CircleX, LoaderCircle, TimerOff, Undo2, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ImageInfo } from '../../../../../src/contract/media.js';
import { Button } from '../../../components/button.js';
import { MissingPicture, useMissingPicture } from '../../../components/missing-picture.js';
import { Picture } from '../../../components/picture.js';
import { ProgressSegments } from '../../../components/progress-segments.js';
import { cx } from '../../../lib/cx.js';
import {
  cancelTooEarlyText,
  CONNECTION_TROUBLE_TEXT,
  formatElapsed,
  type ShownGeneration,
} from '../generation-view.js';
import { ButtonCost } from './button-cost.js';
import { Lightbox, type LightboxPicture } from './lightbox.js';
import { Poster } from './poster.js';
import { SWIPEABLE, useSwipe } from '../swipe-step.js';

/** The content of the frame without an image: the prompt as a poster, above a foot. */
export function PosterPanel({
  prompt,
  muted,
  hidden,
  children,
}: {
  readonly prompt: string;
  readonly muted?: boolean;
  readonly hidden?: boolean;
  readonly children?: React.ReactNode;
}): React.ReactNode {
  return (
    <div
      inert={hidden}
      className="relative flex min-w-0 flex-col rounded-panel border border-line bg-surface p-5 pt-6 @md:p-10"
    >
      <Poster text={prompt} muted={muted} />
      {children}
    </div>
  );
}

interface PendingFootProps {
  readonly view: ShownGeneration;
  readonly trouble: boolean;
  readonly cancelling: boolean;
  readonly onCancel: () => void;
}

/** Phase, elapsed time and the cancel button. */
export function PendingFoot({ view, trouble, cancelling, onCancel }: PendingFootProps): React.ReactNode {
  const { cancelInSeconds } = view;
  const wait = cancelInSeconds ?? 0;
  // Shown next to the button: a toast would cover the button.
  const [askedAt, setAskedAt] = useState<number | null>(null);
  return (
    <>
      <div className="relative flex flex-wrap items-end justify-between gap-2 pb-1 pt-4 sm:pb-0">
        <p role="status" className="absolute bottom-full right-0 bg-surface text-14 text-ink">
          {askedAt !== null && wait > 0 && (
            <>
              <span className="sr-only">{cancelTooEarlyText(askedAt)}</span>
              <span aria-hidden className="fade-in block py-1 tabular-nums">
                {cancelTooEarlyText(wait)}
              </span>
            </>
          )}
        </p>
        {/* The headline has a row of its own: on a phone it would reach under the button. */}
        <div className="contents">
          {trouble && <Trouble />}
          <p className="flex w-full items-center gap-2 whitespace-nowrap text-16 text-ink-2">
            <LoaderCircle aria-hidden className="size-4 shrink-0 text-seal-mark motion-safe:animate-spin" />
            <span>{view.headline}</span>
          </p>
          <p className="display-sm text-32 tabular-nums sm:text-44">
            <span className="sr-only">Elapsed time </span>
            <span>{formatElapsed(view.elapsedSeconds)}</span>
          </p>
        </div>
        {cancelInSeconds !== null && (
          <Button
            busy={cancelling}
            busyLabel="Cancelling..."
            aria-disabled={wait > 0}
            onClick={() => (wait > 0 ? setAskedAt(wait) : onCancel())}
          >
            Cancel Generation
          </Button>
        )}
      </div>
      <ProgressSegments steps={view.steps} className="absolute inset-x-0 bottom-0" />
    </>
  );
}

function Trouble(): React.ReactNode {
  return (
    <p className="mb-1 flex items-center gap-2 text-14 text-warn">
      <WifiOff aria-hidden className="size-4 shrink-0" />
      {CONNECTION_TROUBLE_TEXT}
    </p>
  );
}

interface EndedFootProps {
  readonly view: ShownGeneration;
  /** The credits went back. */
  readonly refunded: boolean;
  /** Price of another try in credits. */
  readonly cost: number;
  /** Starts again with the same prompt; absent when nothing can start. */
  readonly onStartAgain: (() => Promise<void> | undefined) | undefined;
  /** Moves the focus to the prompt. */
  readonly onChangePrompt: (() => void) | undefined;
}

/** The end without an image: what happened, why, the credits, and one button. */
export function EndedFoot({ view, refunded, cost, onStartAgain, onChangePrompt }: EndedFootProps): React.ReactNode {
  const Icon = view.state === 'cancelled' ? CircleSlash : view.state === 'timed-out' ? TimerOff : CircleX;
  const [starting, setStarting] = useState(false);
  const startAgain = async (): Promise<void> => {
    setStarting(true);
    await onStartAgain?.();
    setStarting(false);
  };
  return (
    <div className="pt-4">
      <p className="display-sm flex items-start gap-2.5 text-24">
        <Icon aria-hidden className={cx('size-6 shrink-0', view.state === 'cancelled' ? 'text-ink-2' : 'text-bad')} />
        <span className="text-balance">{view.headline}</span>
      </p>
      {view.detail && <p className="mt-2 line-clamp-3 break-words text-14 text-ink-2">{view.detail}</p>}
      {view.creditsNote && (
        <p className={cx('mt-2 flex items-start gap-2 text-14', refunded ? 'text-good' : 'text-ink-2')}>
          <Undo2 aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{view.creditsNote}</span>
        </p>
      )}
      {onChangePrompt && view.promptRefused && (
        <Button kind="solid" className="mt-4" onClick={onChangePrompt}>
          Change the prompt
        </Button>
      )}
      {onStartAgain && !view.promptRefused && (
        <Button kind="solid" className="mt-4" busy={starting} busyLabel="Starting..." onClick={() => void startAgain()}>
          Try again
          <ButtonCost cost={cost} />
        </Button>
      )}
    </div>
  );
}

interface FinishedImageProps {
  readonly image: ImageInfo;
  readonly prompt: string;
  /** The pictures of the lightbox, including this one. */
  readonly pictures: readonly LightboxPicture[];
  /** Called when the lightbox was closed at another picture. */
  readonly onMove: (id: string) => void;
  /** Moves to the previous or next picture; absent outside of a gallery. */
  readonly onSwipe?: ((step: -1 | 1) => void) | undefined;
  /** The poster was shown before: the picture fades in over it once it has loaded. */
  readonly fade: boolean;
  readonly onShown: () => void;
  readonly onDownload: (picture: LightboxPicture) => void;
}

/** After this time the poster is removed, also when the picture is still loading. */
const LOADING_PATIENCE_MS = 8_000;
/** The longest transition of the design tokens; the poster is covered after it. */
const FADE_MS = 250;

/** The picture in its frame. A press opens the lightbox. */
export function FinishedImage({
  image,
  prompt,
  pictures,
  onMove,
  onSwipe,
  fade,
  onShown,
  onDownload,
}: FinishedImageProps): React.ReactNode {
  const swipe = useSwipe(onSwipe);
  const [loaded, setLoaded] = useState(false);
  const file = useMissingPicture();
  useEffect(() => {
    const timer = loaded ? setTimeout(onShown, FADE_MS) : setTimeout(() => setLoaded(true), LOADING_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [loaded, onShown]);
  return (
    <>
      <Lightbox
        pictures={pictures}
        start={Math.max(
          0,
          pictures.findIndex((picture) => picture.image === image),
        )}
        onMove={onMove}
        onDownload={onDownload}
      >
        <button
          type="button"
          aria-label="View the image full screen"
          {...swipe}
          className={cx(
            onSwipe && SWIPEABLE,
            'absolute inset-0 cursor-zoom-in overflow-hidden rounded-panel -outline-offset-4',
            fade && 'transition-opacity duration-[var(--dur-3)]',
            fade && !loaded && 'opacity-0',
          )}
        >
          <Picture
            key={file.attempt}
            image={image}
            alt={prompt}
            priority
            sizes="(min-width: 1024px) 720px, 100vw"
            onLoad={() => {
              setLoaded(true);
              file.listeners.onLoad();
            }}
            onError={() => {
              setLoaded(true);
              file.listeners.onError();
            }}
          />
        </button>
      </Lightbox>
      {file.missing && <MissingPicture state={file} large />}
    </>
  );
}
