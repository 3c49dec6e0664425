import { useEffect } from 'react';
import { useBrowserValue } from './first-draw.js';
import { createListeners } from './listeners.js';

/** How many parts of the page say at the moment that the browser is offline. */
let speakers = 0;
const { subscribe, notify } = createListeners();

function speak(change: 1 | -1): void {
  speakers += change;
  notify();
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
