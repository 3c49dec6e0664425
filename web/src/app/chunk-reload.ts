import type { SmallStore } from '../lib/storage.js';

const KEY = 'fanvas.reloaded-at';
const ONCE_IN_MS = 60_000;

/** True for the ways in which browsers say that a piece of code could not be fetched. */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|module script|preload CSS/i.test(error.message)
  );
}

/**
 * Whether to reload by ourselves: once, and again only when a minute has passed, so that a broken build cannot loop; never
 * while the browser is offline, because then it would put its own error page in the place of ours.
 */
export function mayReload(store: SmallStore, now: number, online: boolean): boolean {
  if (!online) return false;
  const last = Number(store.get(KEY) ?? 0);
  if (now - last < ONCE_IN_MS) return false;
  store.set(KEY, String(now));
  return store.get(KEY) === String(now);
}
