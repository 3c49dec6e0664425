import { startTransition, useEffect, useState } from 'react';

let drawing = typeof window === 'undefined';
let hydrating = drawing;

/**
 * Call it before a page that the server has drawn is rendered.
 * @param hydrates whether React takes over the drawn elements; false when it replaces them
 */
export function beginFirstDraw({ hydrates }: { readonly hydrates: boolean }): void {
  drawing = true;
  hydrating = hydrates;
}

/** Call it when the page is rendered. */
export function endFirstDraw(): void {
  drawing = false;
  hydrating = false;
}

/** True for a component that the server has drawn: it is already on the screen, so it must not appear again. */
export function useDrawnByServer(): boolean {
  return useState(() => drawing)[0];
}

/**
 * False on the server and for the first render of a page that the server has drawn; then true. For what only this
 * browser knows: its storage, time zone and history.
 */
export function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(() => !hydrating);
  // A transition: the page is drawn already, so the visitor's input comes first.
  useEffect(() => startTransition(() => setHydrated(true)), []);
  return hydrated;
}
