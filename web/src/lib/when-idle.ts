/** Time after the load of the page in which its own work comes first, in ms. */
const QUIET_MS = 5_000;

/** Runs once when the page has loaded, some seconds have passed, and the browser is idle. Returns its cancellation. */
export function whenIdle(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelled = false;
  const once = (): void => {
    if (!cancelled) run();
  };
  const wait = (): void => {
    timer = setTimeout(() => {
      // Safari has no idle callbacks.
      if ('requestIdleCallback' in window) requestIdleCallback(once);
      else once();
    }, QUIET_MS);
  };
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
  return () => {
    cancelled = true;
    clearTimeout(timer);
    window.removeEventListener('load', wait);
  };
}
