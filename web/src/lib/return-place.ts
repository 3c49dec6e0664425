import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Where in a grid of pictures the fan was when they opened one of them. */
export interface ReturnPlace {
  /** Of that picture in the grid, from 0. */
  readonly index: number;
  /** How far below the top of the window it stood, in CSS px. */
  readonly top: number;
}

/** A place found in a navigation state, if it has the right shape: history entries outlive releases. */
export function returnPlaceOf(value: unknown): ReturnPlace | undefined {
  const { index, top } = fieldsOf(value);
  if (typeof index !== 'number' || typeof top !== 'number') return undefined;
  return Number.isSafeInteger(index) && index >= 0 && Number.isFinite(top) ? { index, top } : undefined;
}

/** The navigation state that leads to a place in the grid of a page. */
export function arrivingAt(place: ReturnPlace): { readonly arriveAt: ReturnPlace } {
  return { arriveAt: place };
}

export interface Returning {
  /** Where to go back to; null where a page is to start at its top. */
  readonly place: ReturnPlace | null;
  /** Notes in this page's history entry that this picture is being left for, and returns that place. */
  readonly leave: (index: number, tile: Element) => ReturnPlace;
  /** Puts this picture back where it stood, with the focus on it. The place is used up by that. */
  readonly arrive: (tile: HTMLElement) => void;
}

/**
 * Brings a fan who comes back from a picture of a grid to that picture, by the browser's Back (through the history entry) or
 * by the page's own arrow (which hands over the place in its navigation state). Every other way leads to the top of the page.
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
      const left = { index, top: tile.getBoundingClientRect().top };
      note(left);
      return left;
    },
    arrive: (tile) => {
      if (!place) return;
      setPlace(null);
      note(undefined);
      // Whoever scrolls already has gone elsewhere.
      if (window.scrollY > 0) return;
      window.scrollTo(0, tile.getBoundingClientRect().top - place.top);
      tile.focus({ preventScroll: true });
    },
  };
}

/** For each picture of the grid: lets it {@link Returning.arrive} when it is the one that the fan comes back to. */
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
