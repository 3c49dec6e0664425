import { useRef } from 'react';
import { useKeys } from '../../../components/work-area/keys.js';

/** Moves the focus between the elements of a list that have the attribute `data-row`, by J, K and the arrows. */
export function useMoveFocus<Element extends HTMLElement>(): React.RefObject<Element | null> {
  const list = useRef<Element>(null);
  const rows = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const move = (step: 1 | -1): void => {
    const all = rows();
    const at = all.findIndex((row) => row === document.activeElement);
    all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Move', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['↓', '↑'], label: 'Next, previous row', quiet: true, run: (key) => move(key === '↓' ? 1 : -1) },
    // A row that has the focus opens by itself.
    { keys: ['↵'], label: 'Open', run: () => rows()[0]?.click() },
  ]);
  return list;
}
