import { useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../lib/cx.js';
import { textAttributes } from '../lib/text-language.js';
import { Button } from './button.js';

export interface MissingPictureState {
  /** The file could not be loaded, and has not been loaded since. */
  readonly missing: boolean;
  readonly trying: boolean;
  readonly retry: () => void;
  /** Key of the picture: a new one loads the file again. */
  readonly attempt: number;
  /** Properties of the picture. */
  readonly listeners: { readonly onLoad: () => void; readonly onError: () => void };
}

/** Follows whether the file of a picture can be loaded. Show a {@link MissingPicture} over it while it is missing. */
export function useMissingPicture(): MissingPictureState {
  const [state, setState] = useState({ missing: false, trying: false, attempt: 0 });
  const [listeners] = useState(() => ({
    onLoad: () => setState((before) => (before.missing ? { ...before, missing: false, trying: false } : before)),
    onError: () => setState((before) => ({ ...before, missing: true, trying: false })),
  }));
  const retry = (): void => setState(({ attempt }) => ({ missing: true, trying: true, attempt: attempt + 1 }));
  return { ...state, retry, listeners };
}

interface MissingPictureProps {
  readonly state: Pick<MissingPictureState, 'trying' | 'retry'>;
  /** The prompt of the picture; may be cut off. */
  readonly prompt?: string;
  /** Fills the square of a page. */
  readonly large?: boolean;
  readonly className?: string;
}

/** Says that a finished image could not be loaded, and tries again. Next to the picture, not within its link. */
export function MissingPicture({
  state: { trying, retry },
  prompt,
  large = false,
  className,
}: MissingPictureProps): React.ReactNode {
  const box = useRef<HTMLDivElement>(null);
  // The button disappears when the image has arrived: the picture's own link or button gets the focus.
  useLayoutEffect(() => {
    const node = box.current;
    return () => {
      if (!node?.contains(document.activeElement)) return;
      node.parentElement?.querySelector<HTMLElement>('a, button:not([tabindex])')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div
      ref={box}
      className={cx(
        'pointer-events-none absolute inset-0 flex flex-col items-start justify-end gap-1 bg-surface/85 text-14',
        large ? 'rounded-panel p-5 sm:p-10' : 'p-3.5',
        className,
      )}
    >
      <p role="status" className={large ? 'display-sm text-24' : 'font-[600] text-ink'}>
        The image could not be loaded
      </p>
      {large && <p className="text-ink-2">It is finished and safe. The connection may be the reason.</p>}
      {prompt !== undefined && (
        <p {...textAttributes(prompt)} className="line-clamp-2 break-words text-ink-2">
          {prompt}
        </p>
      )}
      <Button
        size={large ? 40 : 32}
        busy={trying}
        busyLabel="Loading..."
        className="pointer-events-auto mt-1.5"
        onClick={retry}
      >
        Try again
      </Button>
    </div>
  );
}
