import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** The picture of a grid that the fan opened, and its position on the screen. */
export interface ReturnPlace {
  /** Index of the picture in the grid. */
  readonly index: number;
  /** Its distance from the top of the window, in CSS px. */
  readonly top: number;
}

/** Reads a place from a navigation state; undefined for other shapes, because history entries outlive releases. */
export function returnPlaceOf(value: unknown): ReturnPlace | undefined {
  const { index, top } = fieldsOf(value);
  if (typeof index !== 'number' || typeof top !== 'number') return undefined;
  return Number.isSafeInteger(index) && index >= 0 && Number.isFinite(top) ? { index, top } : undefined;
}

/** Navigation state that restores a place in the grid of a page. */
export function arrivingAt(place: ReturnPlace): { readonly arriveAt: ReturnPlace } {
  return { arriveAt: place };
}

export interface Returning {
  /** The place to restore; null to start at the top. */
  readonly place: ReturnPlace | null;
  /** Stores in this page's history entry which picture is opened, and returns its place. */
  readonly leave: (index: number, tile: Element) => ReturnPlace;
  /** Scrolls the picture to its old position and focuses it. Restores once only. */
  readonly arrive: (tile: HTMLElement) => void;
}

/**
 * Restores the position in a grid after a step back from one of its pictures: by the browser's Back (from the history
 * entry) or by the page's back link (from its navigation state). Any other navigation starts at the top.
 */
export function useReturnPlace(): Returning {
  const location = useLocation();
  const navigate = useNavigate();
  const [place, setPlace] = useState(() => returnPlaceOf(fieldsOf(location.state)['arriveAt']) ?? null);

  const note = (arriveAt: ReturnPlace | undefined): void => {
    const { arriveAt: _, ...others } = fieldsOf(location.state);
    const state = arriveAt ? { ...others, ...arrivingAt(arriveAt) } : Object.keys(others).length > 0 ? others : null;
    void navigate(location, { replace: true, state });
  };
  return {
    place,
    leave: (index, tile) => {
      const leftPlace = { index, top: tile.getBoundingClientRect().top };
      note(leftPlace);
      return leftPlace;
    },
    arrive: (tile) => {
      if (!place) return;
      setPlace(null);
      note(undefined);
      // Already scrolled: do not move the page under the fan.
      if (window.scrollY > 0) return;
      window.scrollTo(0, tile.getBoundingClientRect().top - place.top);
      tile.focus({ preventScroll: true });
    },
  };
}

/** Restores the position when this picture of the grid is the one to return to. */
export function useArrival(
  { place, arrive }: Returning,
  index: number,
  tile: React.RefObject<HTMLElement | null>,
): void {
  const arriving = place?.index === index;
  useEffect(() => {
    if (arriving && tile.current) arrive(tile.current);
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
