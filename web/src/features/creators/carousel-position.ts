/** Geometry of the looped carousel: three copies of `count` cards, `stride` px from one card to the next. */
export interface Track {
  readonly count: number;
  readonly stride: number;
}

/** The card (0 to 3 x count - 1) nearest to the centre at this scroll position. */
export function nearestCard({ count, stride }: Track, scrollLeft: number): number {
  return Math.min(3 * count - 1, Math.max(0, Math.round(scrollLeft / stride)));
}

/** The scroll position that shows the same cards inside the middle copy. */
export function intoMiddleCopy({ count, stride }: Track, scrollLeft: number): number {
  const loop = count * stride;
  const card = nearestCard({ count, stride }, scrollLeft);
  if (card < count) return scrollLeft + loop;
  if (card >= 2 * count) return scrollLeft - loop;
  return scrollLeft;
}

/** Distance that one press of an arrow scrolls. */
export const STEP_PX = 350;

/**
 * The card on which the row comes to rest after an arrow was pressed: the one nearest to 350 px from `scrollLeft`, so
 * that a card is always in the centre.
 */
export function cardAfterStep(track: Track, scrollLeft: number, by: -1 | 1): number {
  return nearestCard(track, scrollLeft + by * STEP_PX);
}

/** 1-based position of a card in the list itself. */
export function positionOf({ count }: Track, card: number): number {
  return (card % count) + 1;
}
