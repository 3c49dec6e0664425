import { useEffect } from 'react';

/**
 * Sets `--foot-bar` to the height that a fixed bar covers at the foot of the page, so that toasts, the end of the page
 * and focused elements stay clear of it.
 */
export function useFootBar(ref: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const bar = ref.current;
    if (!bar) return;
    const root = document.documentElement;
    const measure = (): void => {
      const covered = Math.ceil(window.innerHeight - bar.getBoundingClientRect().top);
      root.style.setProperty('--foot-bar', `${covered}px`);
      root.style.scrollPaddingBottom = `${covered + 16}px`;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(bar);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
      root.style.removeProperty('--foot-bar');
      root.style.scrollPaddingBottom = '';
    };
  }, [ref]);
}
