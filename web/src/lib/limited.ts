import type { QueryClient } from '@tanstack/react-query';
import { ApiError, refusals } from './api-error.js';
import { useBrowserValue } from './first-draw.js';
import { createListeners } from './listeners.js';

/** Wait after a refusal that does not say how long to wait, seconds. */
const DEFAULT_WAIT_S = 60;

/** When requests may be sent again, after too many of them; milliseconds since 1970. */
let until: number | null = null;
const { subscribe, notify } = createListeners();

function change(next: number | null): void {
  until = next;
  notify();
}

/** When requests may be sent again, milliseconds since 1970; null when they may be sent now. */
export function useLimitedUntil(): number | null {
  return useBrowserValue(subscribe, () => until, null);
}

/** A refusal that ends by itself: too many requests, or a server that is busy. */
function isForNow(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || (error.status === 503 && error.retryAfter !== null));
}

/**
 * Fetches what the page shows again when the refusal ends that has stopped it; in a hidden tab, once it is shown. Call
 * it once for the app.
 * @returns a function that ends it
 */
export function reloadAfterRefusals(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reloadAt = 0;
  const reload = (): void => {
    change(null);
    document.removeEventListener('visibilitychange', reload);
    if (document.visibilityState === 'hidden') {
      document.addEventListener('visibilitychange', reload);
      return;
    }
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isForNow(state.error) });
  };
  const note = (error: unknown): void => {
    if (!isForNow(error)) return;
    const end = Date.now() + (error.retryAfter ?? DEFAULT_WAIT_S) * 1000;
    if (end <= reloadAt) return;
    reloadAt = end;
    clearTimeout(timer);
    timer = setTimeout(reload, end - Date.now());
    if (error.status === 429) change(end);
  };
  for (const { state } of client.getQueryCache().findAll({ type: 'active' })) note(state.error);
  refusals.note = note;
  return () => {
    refusals.note = undefined;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', reload);
    change(null);
  };
}
