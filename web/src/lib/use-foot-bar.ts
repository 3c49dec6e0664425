import { useEffect } from 'react';

/**
 * Gives the page the height that a fixed bar covers at its foot, so that toasts, the end of the page and focused
 * elements stay clear of it. Elements of the class `above-foot-bar` get it as `--foot-bar`: a property of the root
 * would be computed again for every element of the page.
 */
export function useFootBar(ref: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const bar = ref.current;
    if (!bar) return;
    const root = document.documentElement;
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
    const measure = (): void => {
      const covered = Math.ceil(window.innerHeight - bar.getBoundingClientRect().top);
      sheet.replaceSync(`.above-foot-bar { --foot-bar: ${covered}px }`);
      root.style.scrollPaddingBottom = `${covered + 16}px`;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(bar);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      root.style.scrollPaddingBottom = '';
    };
  }, [ref]);
}
