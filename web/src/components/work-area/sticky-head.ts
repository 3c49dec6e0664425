/** For the cells of a table's head: it stays below the header, which has a second line on narrow screens. */
export const STICKY_HEAD =
  'sticky top-[calc(6.25rem+1px)] z-1 bg-bg shadow-[inset_0_-1px_0_var(--line)] lg:top-[calc(3.5rem+1px)]';

/** The same for a table that scrolls sideways on narrow screens. There it would stay below the top of the table. */
export const STICKY_HEAD_FROM_LG = 'z-1 bg-bg shadow-[inset_0_-1px_0_var(--line)] lg:sticky lg:top-[calc(3.5rem+1px)]';
