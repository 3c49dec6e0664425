import { useState, type UIEvent } from 'react';

/** Rows beyond each edge that are drawn too, so that scrolling and the next row by keyboard find them. */
const MARGIN_ROWS = 20;
/** Until the first scroll, in pixels: more than a screen. */
const FIRST_HEIGHT_PX = 1200;

/** The part of a long list of rows of one height that is drawn. */
export interface RowsInView {
  /** Place of the first row. */
  readonly from: number;
  /** Place after the last row. */
  readonly to: number;
  /** Height of the rows before and after, in pixels. */
  readonly before: number;
  readonly after: number;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
}

/** Draws only the rows near the part of a scrolled list that is in view. @param rowHeight in pixels */
export function useRowsInView(total: number, rowHeight: number): RowsInView {
  const [view, setView] = useState({ first: 0, count: Math.ceil(FIRST_HEIGHT_PX / rowHeight) });
  const from = Math.max(0, Math.min(view.first - MARGIN_ROWS, total - 1));
  const to = Math.min(total, view.first + view.count + MARGIN_ROWS);
  return {
    from,
    to,
    before: from * rowHeight,
    after: (total - to) * rowHeight,
    onScroll: ({ currentTarget: { scrollTop, clientHeight } }) => {
      // In steps of half the margin, so that not every scrolled pixel draws again.
      const step = MARGIN_ROWS / 2;
      const first = Math.floor(scrollTop / rowHeight / step) * step;
      const count = Math.ceil(clientHeight / rowHeight) + step;
      if (first !== view.first || count !== view.count) setView({ first, count });
    },
  };
}
