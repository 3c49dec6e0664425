import { toast } from '../components/toast.js';
import { sessionStore } from '../lib/storage.js';
import { isChunkFailure, mayReload } from './chunk-reload.js';
import type { OnMissingCode } from './page-code.js';
import { whenServerAnswers } from './server-answer.js';

/** The page whose code was asked for again after an answer of the server. */
let askedAgain: string | null = null;

/**
 * Keeps the page that is shown when the server is away, and opens the next one once the server is back.
 * @param load loads a page as a document
 */
export function openOnceThere(load = (href: string): void => window.location.assign(href)): OnMissingCode {
  return (error, href, signal) =>
    new Promise((resolve) => {
      if (!isChunkFailure(error) || signal.aborted) return resolve(false);
      const waiting = new AbortController();
      const end = (again: boolean): void => {
        waiting.abort();
        resolve(again);
      };
      signal.addEventListener('abort', () => end(false));
      void wait(href, () => end(true), waiting.signal, load);
    });
}

async function wait(href: string, again: () => void, signal: AbortSignal, load: (href: string) => void): Promise<void> {
  let hasTyped = false;
  document.addEventListener('input', () => (hasTyped = true), { signal });
  const wasAway = await whenServerAnswers(signal, () => {
    const unsay = toast({
      kind: 'error',
      title: 'This page could not be opened: our server does not answer.',
      description: 'It opens by itself once the server is back. What you see here stays.',
      action: { label: 'Try again', onClick: again },
    });
    signal.addEventListener('abort', unsay);
  });
  if (signal.aborted) return;
  if (hasTyped) {
    // They would lose it.
    const unsay = toast({ title: 'Our server is back.', action: { label: 'Open the page', onClick: again } });
    signal.addEventListener('abort', unsay);
  } else if (wasAway || askedAgain !== href) {
    askedAgain = href;
    again();
  } else if (mayReload(sessionStore, Date.now())) {
    // The server has a newer build, without this code.
    load(href);
  } else {
    toast({ kind: 'error', title: 'This page could not be opened.', action: { label: 'Try again', onClick: again } });
  }
}
