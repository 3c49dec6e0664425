import { useRef } from 'react';

/** Where a touch began or ended, in CSS px. */
export interface TouchPoint {
  readonly x: number;
  readonly y: number;
}

/** A shorter movement is a tap. */
const SHORTEST_PX = 48;
/** Swipes that start closer to the edge of the window belong to the system's back gesture. */
const EDGE_PX = 24;

/** 1 (next picture) for a swipe to the left, -1 for one to the right; null for a tap, a scroll or a system gesture. */
export function swipeStep(from: TouchPoint, to: TouchPoint, windowWidth: number): -1 | 1 | null {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  if (from.x < EDGE_PX || from.x > windowWidth - EDGE_PX) return null;
  if (Math.abs(dx) < SHORTEST_PX || Math.abs(dx) < 2 * Math.abs(dy)) return null;
  return dx < 0 ? 1 : -1;
}

/** Class for {@link useSwipe}: the browser handles scrolling and zooming, the page handles sideways moves. */
export const SWIPEABLE = 'touch-pan-y touch-pinch-zoom';

/** Handlers for swipes with one finger. A swipe on a zoomed picture moves the picture. */
export function useSwipe(onSwipe: ((step: -1 | 1) => void) | undefined): {
  readonly onTouchStart: React.TouchEventHandler;
  readonly onTouchEnd: React.TouchEventHandler;
} {
  const from = useRef<TouchPoint | null>(null);
  return {
    onTouchStart: ({ touches }) => {
      const touch = touches.length === 1 && (window.visualViewport?.scale ?? 1) === 1 ? touches[0] : undefined;
      from.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }) => {
      const touch = changedTouches[0];
      const step =
        from.current && touch && swipeStep(from.current, { x: touch.clientX, y: touch.clientY }, window.innerWidth);
      from.current = null;
      if (step) onSwipe?.(step);
    },
  };
}
