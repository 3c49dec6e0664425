import { useEffect, useState } from 'react';

/**
 * Index of the section that is being read: the last one whose top is above a line.
 * @param ids of the sections, in their order. The same array on each render
 * @param lineOf the line in CSS px from the top of a window of this height
 */
export function useSectionInView(ids: readonly string[], lineOf: (windowHeight: number) => number): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const look = (): void => {
      const line = lineOf(window.innerHeight);
      const tops = ids.map((id) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity);
      setCurrent(
        Math.max(
          0,
          tops.findLastIndex((top) => top <= line),
        ),
      );
    };
    // A reload may have restored the place on the page.
    if (window.scrollY > 0) look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [ids, lineOf]);
  return current;
}
