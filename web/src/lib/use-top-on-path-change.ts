import { useEffect, useLayoutEffect, useRef } from 'react';

/** Scrolls to the top and moves the focus to the content (`#main`) when the path changes. */
export function useTopOnPathChange(pathname: string): void {
  const last = useRef(pathname);
  useEffect(() => {
    // The browser would restore the scroll position on a step back.
    history.scrollRestoration = 'manual';
  }, []);
  // A layout effect, so that it runs before the effects of the page, which may restore a position.
  useLayoutEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    window.scrollTo(0, 0);
    const main = document.getElementById('main');
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  }, [pathname]);
}
