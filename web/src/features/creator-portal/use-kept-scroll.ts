import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { sessionStore } from '../../lib/storage.js';

const KEY = 'fanvas.terms-position';

/** Keeps the scroll position of this history entry over a reload. */
export function useKeptScroll(): void {
  const { key } = useLocation();
  useEffect(() => {
    const [keptKey, top] = (sessionStore.get(KEY) ?? '').split(' ');
    if (keptKey === key) window.scrollTo(0, Number(top) || 0);
    const keep = (): void => sessionStore.set(KEY, `${key} ${Math.round(window.scrollY)}`);
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      sessionStore.remove(KEY);
    };
  }, [key]);
}
