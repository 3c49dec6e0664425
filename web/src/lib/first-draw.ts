import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

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

/**
 * A value of this browser that can change, like `useSyncExternalStore`. A page that the server has drawn begins with
 * `drawn` and takes the browser's value in a transition: React would do it in one task with the hydration, which keeps
 * the visitor's input waiting.
 * @param subscribe must not change with each render; {@link neverChanges} for what stays as it is
 * @param drawn what the server draws
 */
export function useBrowserValue<T>(subscribe: (listener: () => void) => () => void, read: () => T, drawn: T): T {
  const value = useSyncExternalStore(subscribe, read, typeof window === 'undefined' ? () => drawn : read);
  const [asDrawn, setAsDrawn] = useState(() => hydrating && !Object.is(value, drawn));
  useEffect(() => {
    if (asDrawn) startTransition(() => setAsDrawn(false));
  }, [asDrawn]);
  return asDrawn ? drawn : value;
}

/** Subscribes to nothing. */
export const neverChanges = (): (() => void) => () => undefined;
