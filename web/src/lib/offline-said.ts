import { useEffect } from 'react';
import { useBrowserValue } from './first-draw.js';

/** How many parts of the page say at the moment that the browser is offline. */
let speakers = 0;
const listeners = new Set<() => void>();

function speak(change: 1 | -1): void {
  speakers += change;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Call it in a part of the page that shows people that they are offline: the general message is not shown then. */
export function useSaysOffline(says: boolean): void {
  useEffect(() => {
    if (!says) return undefined;
    speak(1);
    return () => speak(-1);
  }, [says]);
}

/** Whether a part of the page says that the browser is offline. */
export function useOfflineSaid(): boolean {
  return useBrowserValue(subscribe, () => speakers > 0, false);
}
