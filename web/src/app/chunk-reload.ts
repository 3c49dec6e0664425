import { sessionStore, type SmallStore } from '../lib/storage.js';

const KEY = 'fanvas.reloaded-at';
const ONCE_IN_MS = 60_000;

/** True for the errors with which browsers report that a chunk could not be fetched. */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|module script|preload CSS/i.test(error.message)
  );
}

/**
 * Whether to reload the page: at most once a minute, so that a broken build cannot loop, and never offline, where the
 * browser would show its own error page instead.
 */
export function mayReload(store: SmallStore, now: number, online: boolean): boolean {
  if (!online) return false;
  const last = Number(store.get(KEY) ?? 0);
  if (now - last < ONCE_IN_MS) return false;
  store.set(KEY, String(now));
  return store.get(KEY) === String(now);
}

/**
 * Reloads a page whose code could not be fetched: now, if {@link mayReload} allows it, or each time that the browser is
 * online again. A broken build cannot loop, because every such reload needs a connection that was lost.
 * @returns a function that stops waiting for the connection
 */
export function reloadOutdated(reload = (): void => window.location.reload()): () => void {
  if (mayReload(sessionStore, Date.now(), navigator.onLine)) reload();
  window.addEventListener('online', reload);
  return () => window.removeEventListener('online', reload);
}
