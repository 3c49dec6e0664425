import { useState, useSyncExternalStore } from 'react';

let drawing = typeof window === 'undefined';

/** Call it before a page that the server has drawn is hydrated. */
export function beginFirstDraw(): void {
  drawing = true;
}

/** Call it when the page is hydrated. */
export function endFirstDraw(): void {
  drawing = false;
}

/** True for a component that the server has drawn: it is already on the screen, so it must not appear again. */
export function useDrawnByServer(): boolean {
  return useState(() => drawing)[0];
}

const never = (): (() => void) => () => undefined;

/**
 * False on the server and for the first render of a page that the server has drawn; then true. For what only this
 * browser knows: its storage, time zone and history.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
