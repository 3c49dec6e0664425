import { useState } from 'react';

interface Pages<Place> {
  /** Where the page begins; null: at the first row. */
  readonly place: Place | null;
  /** Goes back a page; null on the first one. */
  readonly previous: (() => void) | null;
  /** The way to the page that begins at `next`; null after the last one. */
  readonly to: (next: Place | null | undefined) => (() => void) | null;
  /** Begins with the first page again. */
  readonly reset: () => void;
}

/** The pages of a list that names the beginning of its next page. */
export function usePages<Place>(): Pages<Place> {
  // The beginnings of the pages up to this one.
  const [passed, setPassed] = useState<readonly (Place | null)[]>([null]);
  return {
    place: passed.at(-1) ?? null,
    previous: passed.length > 1 ? () => setPassed(passed.slice(0, -1)) : null,
    to: (next) => (next == null ? null : () => setPassed([...passed, next])),
    reset: () => setPassed([null]),
  };
}
