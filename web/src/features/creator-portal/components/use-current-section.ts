import { useEffect, useState } from 'react';

/** A section counts as current when its top is above this line, in CSS px from the top of the window. */
const LINE_PX = 160;

/** Index of the section that is being read. `ids` of the sections, in their order. */
export function useCurrentSection(ids: readonly string[]): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const look = (): void => {
      const tops = ids.map((id) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity);
      setCurrent(
        Math.max(
          0,
          tops.findLastIndex((top) => top <= LINE_PX),
        ),
      );
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [ids]);
  return current;
}
