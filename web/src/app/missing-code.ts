import type { Location } from 'react-router-dom';
import { toast } from '../components/toast.js';
import { sessionStore } from '../lib/storage.js';
import { isChunkFailure, mayReload } from './chunk-reload.js';
import type { KeepsPage, PageRouter } from './page-code.js';
import { whenServerAnswers } from './server-answer.js';

/** The page whose code was asked for again after an answer of the server. */
let askedAgain: string | null = null;

/**
 * Keeps the page that is shown when the server is away, and opens the next one once the server is back.
 * @param load loads a page as a document
 */
export function keepsPages(router: PageRouter, load = (href: string): void => window.location.assign(href)): KeepsPage {
  let shown = entryIndex();
  router.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') shown = entryIndex();
  });
  return (error) => {
    const { location: here, navigation } = router.state;
    if (navigation.state === 'idle' || !isChunkFailure(error)) return false;
    const { location: next, historyAction } = navigation;
    const action = String(historyAction);
    // A step in the history has changed the address already.
    const steps = action === 'POP' ? entryIndex() - shown : 0;
    const replace = action === 'REPLACE';
    const again = (): void =>
      void (steps === 0 ? router.navigate(next, { replace, state: next.state as unknown }) : router.navigate(steps));
    void (steps === 0
      ? router.navigate(here, { replace: true, state: here.state as unknown })
      : router.navigate(-steps));
    void wait(router.createHref(next), again, untilLeft(router, here), load);
    return true;
  };
}

/** React Router counts the entries of the history in their states. */
function entryIndex(): number {
  return (window.history.state as { readonly idx?: number } | null)?.idx ?? 0;
}

/** Ends at the first navigation after the one that returns to this page. */
function untilLeft(router: PageRouter, { pathname, search }: Location): AbortSignal {
  const departure = new AbortController();
  let back: Location | null = null;
  const stop = router.subscribe(({ navigation, location }) => {
    const isIdle = navigation.state === 'idle';
    if (back === null && !isIdle) return;
    if (isIdle && location.pathname === pathname && location.search === search && (back ?? location) === location) {
      back = location;
      return;
    }
    stop();
    departure.abort();
  });
  return departure.signal;
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
    const unsay = toast({
      kind: 'error',
      title: 'This page could not be opened.',
      action: { label: 'Try again', onClick: again },
    });
    signal.addEventListener('abort', unsay);
  }
}
