import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { NOT_MOBILE, useMedia } from '../../lib/use-media.js';
import { useKeys } from './keys.js';

/** A list of which one row is open. */
export interface Queue<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The open row: the chosen one, on wide screens the first one by default. Null for none. */
  readonly current: Row | null;
  /** Opens a row and moves the focus to it. */
  readonly open: (row: Row) => void;
  /** Closes the row: on phones the list shows again. */
  readonly close: () => void;
  /** Opens the row after the current one, or the one before when there is none. After an act that ends a row. */
  readonly next: () => void;
}

/** Id of the element of a row. */
export const rowId = (key: string): string => `row-${key}`;

/**
 * A queue whose open row is in the address (`?open=`), so that it can be linked and the browser's back closes it on
 * phones. J, K and the arrows move, Enter opens, Escape closes.
 */
export function useQueue<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Queue<Row> {
  const [params, setParams] = useSearchParams();
  const wide = useMedia(NOT_MOBILE);
  const focusOn = useRef<string | null>(null);
  const chosen = params.get('open');
  const current = rows.find((row) => keyOf(row) === chosen) ?? (wide ? rows[0] : undefined) ?? null;
  const currentKey = current === null ? null : keyOf(current);

  // After each render, because a row that ended may have made room for the chosen one before it was chosen.
  useEffect(() => {
    if (focusOn.current === null || focusOn.current !== currentKey) return;
    focusOn.current = null;
    // On phones the list is not there: the content begins at the top.
    const row = document.getElementById(rowId(currentKey));
    (row ?? document.getElementById('main'))?.focus({ preventScroll: row === null });
    if (row === null) window.scrollTo(0, 0);
  });

  const choose = (row: Row | undefined): void => {
    const key = row === undefined ? null : keyOf(row);
    focusOn.current = key;
    if (key !== null && key === currentKey) document.getElementById(rowId(key))?.focus();
    setParams(
      (before) => {
        if (key === null) before.delete('open');
        else before.set('open', key);
        return before;
      },
      // On phones the detail is a step of its own.
      { replace: wide || currentKey !== null, preventScrollReset: true },
    );
  };
  const at = current === null ? -1 : rows.indexOf(current);
  const move = (step: 1 | -1): void => {
    const row = rows[at + step];
    if (row !== undefined) choose(row);
  };
  const close = (): void => choose(undefined);
  useKeys([
    { keys: ['J', 'K'], label: 'Move', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['↓', '↑'], label: 'Next, previous row', quiet: true, run: (key) => move(key === '↓' ? 1 : -1) },
    ...(wide ? [] : [{ keys: ['Esc'], label: 'Back', quiet: true, run: close }]),
  ]);

  return { rows, keyOf, current, open: choose, close, next: () => choose(rows[at + 1] ?? rows[at - 1]) };
}
