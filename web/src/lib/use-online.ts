import { useBrowserValue } from './first-draw.js';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the browser has a network; true while a page is drawn on the server. */
export function useOnline(): boolean {
  return useBrowserValue(subscribe, () => navigator.onLine, true);
}
