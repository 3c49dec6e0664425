import { useRef } from 'react';
import { useKeys } from './keys.js';

/** The words for the keys of a list. */
export interface RowKeys {
  /** For J and K. */
  readonly move?: string;
  /** For Enter. */
  readonly open?: string;
  /** For Escape, which closes what is unfolded; without it, Escape does nothing. */
  readonly close?: string;
}

/**
 * The keys of a list: J, K and the arrows move the focus between the elements with the attribute `data-row`, Enter
 * opens the one with the focus, or else the one that Tab reaches.
 * @param keys undefined: none
 */
export function useRowKeys<Element extends HTMLElement>(
  keys: RowKeys | undefined,
  close?: () => void,
): React.RefObject<Element | null> {
  const list = useRef<Element>(null);
  const rows = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const stop = (): HTMLElement | undefined => rows().find(({ tabIndex }) => tabIndex === 0);
  const move = (step: 1 | -1): void => {
    const all = rows();
    const at = all.findIndex((row) => row === document.activeElement);
    (at === -1 ? stop() : all[Math.min(Math.max(at + step, 0), all.length - 1)])?.focus();
  };
  const { move: moves = 'Move', open: opens = 'Open', close: closes } = keys ?? {};
  useKeys(
    keys === undefined
      ? []
      : [
          { keys: ['J', 'K'], label: moves, run: (key) => move(key === 'J' ? 1 : -1) },
          { keys: ['↓', '↑'], label: 'Next, previous row', quiet: true, run: (key) => move(key === '↓' ? 1 : -1) },
          // A row that has the focus opens by itself.
          { keys: ['↵'], label: opens, run: () => stop()?.click() },
          ...(closes === undefined ? [] : [{ keys: ['Esc'], label: closes, quiet: true, run: () => close?.() }]),
        ],
  );
  return list;
}
