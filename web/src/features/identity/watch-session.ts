import { askSession, doubtSession, viewer } from '../../lib/auth.js';
import { dropData } from '../../lib/query.js';
import { reconnectDelay } from '../../lib/status-check.js';

/** How often a page in sight asks whether the session has ended on another device, in ms. */
const ASK_MS = 15_000;
/** An act of another tab that ends the session is done after this time, in ms, if the tab does not say so before. */
const LEAVING_MS = 5_000;
/** Between the tabs of a browser. */
const CHANNEL = 'fanvas-session';

interface Message {
  readonly tab: number;
  readonly state: 'leaving' | 'left';
}
/** This tab, which also receives what it sends. */
const TAB = Math.random();

function sendToTabs(state: Message['state']): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ tab: TAB, state } satisfies Message);
  channel.close();
}

/** Ends the session: every other tab drops token and data at once, and asks when it has ended. */
export async function leaving(end: () => Promise<void>): Promise<void> {
  sendToTabs('leaving');
  try {
    await end();
  } finally {
    sendToTabs('left');
  }
}

/**
 * Notices the end of a session elsewhere: in another tab, on another device, or while the browser kept this page for
 * its back button. Returns a function that stops it.
 */
export function watchSession(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let stopped = false;
  /** Asks after this time and then again and again: soon after a failure that leaves the person unknown. */
  const ask = (afterMs: number): void => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      if (document.hidden && viewer().status !== 'loading') return ask(ASK_MS);
      const asked = viewer().status === 'signed-out' ? Promise.resolve() : askSession();
      asked.then(
        () => {
          attempt = 0;
          ask(ASK_MS);
        },
        () => ask(viewer().status === 'loading' ? reconnectDelay(attempt++) : ASK_MS),
      );
    }, afterMs);
  };
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    doubtSession();
    ask(0);
  };
  const onVisible = (): void => {
    if (!document.hidden) ask(0);
  };
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.tab === TAB) return; // the identity SDK leads on from the page
    if (data.state === 'leaving' && viewer().status === 'signed-in') {
      doubtSession();
      dropData();
      ask(LEAVING_MS);
    }
    if (data.state === 'left') ask(0);
  });
  window.addEventListener('pageshow', onPageShow);
  document.addEventListener('visibilitychange', onVisible);
  ask(ASK_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
    channel?.close();
    window.removeEventListener('pageshow', onPageShow);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
