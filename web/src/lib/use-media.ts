import { useCallback } from 'react';
import { useBrowserValue } from './first-draw.js';

/** Below this width (CSS px) the phone layout is used. Must equal `--breakpoint-sm` of the stylesheet. */
export const MOBILE_BREAKPOINT_PX = 640;
export const NOT_MOBILE = `(min-width: ${MOBILE_BREAKPOINT_PX}px)`;

/** Whether a media query matches; updates with the window. False until a page that the server has drawn is hydrated. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useBrowserValue(subscribe, () => window.matchMedia(query).matches, false);
}
