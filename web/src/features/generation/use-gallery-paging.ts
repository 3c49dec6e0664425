import { useEffect, useRef } from 'react';
import type { GalleryItem } from '../../../../src/contract/gallery.js';
import { arrowStep } from './arrow-step.js';

/** A picture of a gallery among its neighbours. */
export interface GalleryPlace {
  readonly items: readonly GalleryItem[];
  readonly index: number;
}

/** The place of a picture in a gallery; null when it is not part of it, or the only one. */
export function galleryPlace(items: readonly GalleryItem[], generationId: string): GalleryPlace | null {
  const index = items.findIndex(({ id }) => id === generationId);
  return index >= 0 && items.length > 1 ? { items, index } : null;
}

/** Announcement of a picture in a gallery. */
export function placeText({ items, index }: GalleryPlace): string {
  return `Picture ${index + 1} of ${items.length}: ${items[index]?.prompt ?? ''}`;
}

/** Elements with their own use of the arrow keys. */
const OWN_ARROWS =
  'input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=alertdialog], [role=combobox]';

/** Calls back for the left (-1) and right (1) arrow key, unless the focused element uses them itself. */
export function useArrowKeys(onArrow: ((step: -1 | 1) => void) | null): void {
  const latest = useRef(onArrow);
  useEffect(() => {
    latest.current = onArrow;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const step = arrowStep(event);
      if (step === null || latest.current === null || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OWN_ARROWS)) return;
      event.preventDefault();
      latest.current(step);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
