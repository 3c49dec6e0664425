import { useEffect, useLayoutEffect } from 'react';

/**
 * Fits the height of the field to its text, in browsers whose styles cannot (`field-sizing`): measuring makes the page
 * lay out twice. The styles set the smallest and largest height; longer texts scroll.
 * @param text null while the field is hidden
 */
export function useAutoGrow(ref: React.RefObject<HTMLTextAreaElement | null>, text: string | null): void {
  useLayoutEffect(() => {
    const field = ref.current;
    if (!field || growsByStyle()) return undefined;
    const fit = (): void => {
      field.style.height = '0';
      field.style.height = `${field.scrollHeight}px`;
    };
    fit();
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, [ref, text]);
  useEffect(() => {
    if (growsByStyle()) return undefined;
    // The text width changes once the font has loaded.
    let current = true;
    void document.fonts.ready.then(() => {
      const field = ref.current;
      if (current && field) field.style.height = `${field.scrollHeight}px`;
    });
    return () => {
      current = false;
    };
  }, [ref]);
}

function growsByStyle(): boolean {
  return CSS.supports('field-sizing', 'content');
}
