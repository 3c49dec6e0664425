import { useCallback, useEffect, useRef, useState } from 'react';
import { preload } from 'react-dom';
import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash';
import type { ImageInfo, ImageSource } from '../../../src/contract/media.js';
import { cx } from '../lib/cx.js';
import { useDrawnByServer } from '../lib/first-draw.js';

interface PictureProps {
  readonly image: ImageInfo;
  /** Empty for decoration. */
  readonly alt: string;
  /** Displayed width, as in `sizes` of an img. */
  readonly sizes: string;
  /** For the LCP picture of a page: fetched first and shown without a fade. */
  readonly priority?: boolean;
  /** Loads only close to the window. Browsers load lazy pictures from up to three screens away. */
  readonly near?: boolean;
  /** CSS aspect ratio of the frame; the picture's own by default. */
  readonly ratio?: string;
  readonly className?: string | undefined;
  readonly onLoad?: () => void;
  readonly onError?: () => void;
  /** Shown when the picture cannot be loaded; the blur by default. */
  readonly fallback?: React.ReactNode;
}

/** Delays before each retry of a picture that failed to load. The event `online` retries at once. */
const RETRY_AFTER_MS = [2_000, 6_000, 20_000];

/** How close to the window a picture with `near` begins to load. */
const NEAR = '256px';

/** A picture in its reserved frame: blur at once, then the smallest fitting AVIF or WebP. */
export function Picture({
  image,
  alt,
  sizes,
  priority = false,
  near = false,
  ratio,
  className,
  onLoad,
  onError,
  fallback,
}: PictureProps): React.ReactNode {
  const { frame, mayLoad } = useNear(near);
  const [shown, setShown] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const hasFailed = useRef(false);
  const { broken, reportFailure } = useRetries(image.url);
  // Already on the screen, without scripts too: no fade, and a colour in place of the blur, which is 6 kB of HTML.
  const drawn = useDrawnByServer();
  const still = priority || drawn;
  const loaded = shown === image.url;
  const missing = failed === image.url && !loaded;
  // For a picture that does not fade in, this sets no state: many of them have loaded when the page is hydrated.
  const settle = useCallback(() => {
    if (hasFailed.current) setFailed(null);
    hasFailed.current = false;
    if (!still) setShown(image.url);
  }, [image.url, still]);
  const show = useCallback(() => {
    settle();
    onLoad?.();
  }, [settle, onLoad]);
  const fail = useCallback(() => {
    hasFailed.current = true;
    setFailed(image.url);
    reportFailure();
    onError?.();
  }, [image.url, onError, reportFailure]);
  // A picture may have loaded, or failed, before React attached its listeners.
  const attach = useCallback(
    (node: HTMLImageElement | null) => {
      if (!node?.complete) return;
      if (node.naturalWidth === 0) fail();
      else settle();
    },
    [settle, fail],
  );

  // A square frame cuts off the sides of a wide picture: its files count with the width that is shown.
  const sets = srcSets(image.sources, ratio === '1 / 1' ? Math.min(1, image.height / image.width) : 1);
  const [best] = sets;
  if (priority && typeof window === 'undefined') {
    const set = best && { imageSrcSet: best.srcSet, imageSizes: sizes, type: best.type };
    preload(image.url, { as: 'image', fetchPriority: 'high', ...set });
  }

  const picture = (
    <picture>
      {sets.map((set) => (
        <source key={set.type} {...set} sizes={sizes} />
      ))}
      <img
        ref={attach}
        src={image.url}
        alt={alt}
        width={image.width}
        height={image.height}
        loading={priority ? 'eager' : 'lazy'}
        fetchPriority={priority ? 'high' : 'auto'}
        decoding="async"
        draggable={false}
        onLoad={show}
        onError={fail}
        className={cx(
          'absolute inset-0 size-full object-cover',
          !still && 'transition-opacity duration-[var(--dur-3)]',
          (missing || (!still && !loaded)) && 'opacity-0 noscript:opacity-100',
        )}
      />
    </picture>
  );
  return (
    <span
      ref={frame}
      className={cx('relative block overflow-hidden bg-hover bg-cover bg-center', className)}
      style={{
        aspectRatio: ratio ?? `${image.width} / ${image.height}`,
        ...(drawn ? { backgroundColor: averageColour(image.thumbhash) } : { backgroundImage: blur(image.thumbhash) }),
      }}
    >
      {missing && fallback}
      {mayLoad && !broken
        ? picture
        : alt && (
            <span translate="no" className="sr-only">
              {alt}
            </span>
          )}
      {!mayLoad && <noscript>{picture}</noscript>}
    </span>
  );
}

/** Whether a picture may load. With `near`, that is once its frame has come close to the window. */
function useNear(near: boolean): { readonly frame: React.Ref<HTMLSpanElement>; readonly mayLoad: boolean } {
  const frame = useRef<HTMLSpanElement>(null);
  const [mayLoad, setMayLoad] = useState(!near);
  useEffect(() => {
    if (mayLoad || !frame.current) return undefined;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setMayLoad(true);
      },
      // The first margin is for the window, the second for a row that scrolls sideways.
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [mayLoad]);
  return { frame, mayLoad };
}

/** Whether loading the picture has failed for now, and a function to report a failure. */
function useRetries(url: string): { readonly broken: boolean; readonly reportFailure: () => void } {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const tries = useRef(0);
  const broken = brokenUrl === url;
  useEffect(() => {
    if (!broken) return undefined;
    const again = (): void => setBrokenUrl(null);
    const wait = RETRY_AFTER_MS[tries.current];
    tries.current += 1;
    const timer = wait === undefined ? undefined : setTimeout(again, wait);
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [broken]);
  return { broken, reportFailure: useCallback(() => setBrokenUrl(url), [url]) };
}

/** The files of a picture by type, the smaller type first; of their width, `share` is shown. */
export function srcSets(sources: readonly ImageSource[], share = 1): { type: string; srcSet: string }[] {
  return (['image/avif', 'image/webp'] as const)
    .map((type) => ({
      type,
      srcSet: sources
        .filter((source) => source.type === type)
        .map((source) => `${source.url} ${Math.round(source.width * share)}w`)
        .join(', '),
    }))
    .filter(({ srcSet }) => srcSet !== '');
}

/** Bounds the cache: a placeholder takes a few kilobytes. */
const MAX_BLURS = 500;
const blurs = new Map<string, string | undefined>();

/** CSS background of a thumbhash; undefined for an invalid one. */
function blur(thumbhash: string): string | undefined {
  if (blurs.size >= MAX_BLURS) blurs.clear();
  if (!blurs.has(thumbhash)) blurs.set(thumbhash, decode(thumbhash));
  return blurs.get(thumbhash);
}

function decode(thumbhash: string): string | undefined {
  return fromThumbhash(thumbhash, (bytes) => `url(${thumbHashToDataURL(bytes)})`);
}

/** The average colour of a thumbhash in CSS; undefined for an invalid one. */
function averageColour(thumbhash: string): string | undefined {
  return fromThumbhash(thumbhash, (bytes) => {
    const { r, g, b } = thumbHashToAverageRGBA(bytes);
    return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(', ')})`;
  });
}

function fromThumbhash(thumbhash: string, toCss: (bytes: Uint8Array) => string): string | undefined {
  if (thumbhash === '') return undefined;
  try {
    return toCss(Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0)));
  } catch (error) {
    console.warn('Unreadable blur placeholder', error);
    return undefined;
  }
}
