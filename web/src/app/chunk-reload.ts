import { sessionStore, type SmallStore } from '../lib/storage.js';
import { whenServerAnswers } from './server-answer.js';

const KEY = 'fanvas.reloaded-at';
const ONCE_IN_MS = 60_000;

/** True for the errors with which browsers report that a chunk could not be fetched. */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    // oxlint-disable-next-line syntax/no-message-of-an-error -- it is read, and not shown
    /dynamically imported module|importing a module script failed|module script|preload CSS/i.test(error.message)
  );
}

/** Whether to reload the page: at most once a minute, so that a broken build cannot loop. */
export function mayReload(store: SmallStore, now: number): boolean {
  const last = Number(store.get(KEY) ?? 0);
  if (now - last < ONCE_IN_MS) return false;
  store.set(KEY, String(now));
  return store.get(KEY) === String(now);
}

/**
 * Reloads a page whose code could not be fetched, once the server answers: the browser would show its own error page
 * otherwise. If it was not away, {@link mayReload} must allow it, or a connection that was lost must be back.
 * @returns a function that stops waiting
 */
export function reloadOutdated(reload = (): void => window.location.reload()): () => void {
  const end = new AbortController();
  const { signal } = end;
  const whenBack = async (isBack: boolean): Promise<void> => {
    const wasAway = await whenServerAnswers(signal);
    if (signal.aborted) return;
    if (isBack || wasAway || mayReload(sessionStore, Date.now())) return reload();
    window.addEventListener('online', () => void whenBack(true), { once: true, signal });
  };
  void whenBack(false);
  return () => end.abort();
}
