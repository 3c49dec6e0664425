import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../../components/button.js';
import type { GalleryPlace } from '../use-gallery-paging.js';

/** The button that was pressed on the picture before; the same button gets the focus. */
export type PressedStep = React.RefObject<-1 | 1 | null>;

/** Not `disabled`, which would lose the focus of a pressed button. */
const AT_AN_END = 'aria-disabled:cursor-default aria-disabled:opacity-40';

interface GalleryPagingProps {
  readonly place: GalleryPlace;
  readonly pressedRef: PressedStep;
  readonly onStep: (step: -1 | 1) => void;
}

/** Buttons for the previous and next picture of the gallery. The arrow keys do the same. */
export function GalleryPaging({ place: { items, index }, pressedRef, onStep }: GalleryPagingProps): React.ReactNode {
  const previous = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (pressedRef.current !== null)
      (pressedRef.current === 1 ? next : previous).current?.focus({ preventScroll: true });
    pressedRef.current = null;
  }, [pressedRef]);
  const press = (step: -1 | 1): void => {
    if (items[index + step] === undefined) return;
    pressedRef.current = step;
    onStep(step);
  };
  return (
    <nav aria-label="Pictures of this gallery" className="flex items-center gap-1">
      <IconButton
        ref={previous}
        label="Previous picture"
        aria-keyshortcuts="ArrowLeft"
        aria-disabled={index === 0}
        className={AT_AN_END}
        onClick={() => press(-1)}
      >
        <ChevronLeft aria-hidden className="size-5" />
      </IconButton>
      <span className="whitespace-nowrap text-14 tabular-nums text-ink-2">
        <span>{index + 1}</span>
        <span className="sr-only"> of </span>
        <span aria-hidden> / </span>
        <span>{items.length}</span>
      </span>
      <IconButton
        ref={next}
        label="Next picture"
        aria-keyshortcuts="ArrowRight"
        aria-disabled={index === items.length - 1}
        className={AT_AN_END}
        onClick={() => press(1)}
      >
        <ChevronRight aria-hidden className="size-5" />
      </IconButton>
    </nav>
  );
}
