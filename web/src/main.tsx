import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import { App } from './app/app.js';
import { type EarlyInput } from './app/early-input.js';
import { headStart } from './app/head-start.js';
import { keepsPages } from './app/missing-code.js';
import { setKeepsPage, whenInitialized } from './app/page-code.js';
import { fillCache, readPageData, restoreStyles } from './app/page-data.js';
import { routes } from './app/routes.js';
import { fanvasConfig } from './lib/config.js';
import { beginFirstDraw } from './lib/first-draw.js';
import { nextTask } from './lib/next-task.js';
import { queryClient } from './lib/query.js';

/**
 * Starts the app in this element: hydrates the page that the server has drawn, or draws it. It does so in several
 * tasks, because a visitor can already use the links of a drawn page.
 * @param early what the visitor does until then; null when nothing is drawn
 */
export async function start(root: HTMLElement, early: EarlyInput | null): Promise<void> {
  // Radix reads the nonce for its style elements from this global.
  Object.assign(globalThis, { __webpack_nonce__: fanvasConfig().styleNonce });

  const { pathname } = window.location;
  const data = readPageData();
  // The server draws a page as it is on a first visit. A history entry with a state, or a way back, looks different.
  const { idx = 0, usr = null } = (window.history.state ?? {}) as { readonly idx?: number; readonly usr?: unknown };
  const asDrawn = idx === 0 && usr === null;
  if (data) {
    fillCache(queryClient, pathname, data);
    await nextTask();
  }
  headStart(pathname);
  await nextTask();
  const router = createBrowserRouter(routes);
  void whenInitialized(router).then(() => setKeepsPage(keepsPages(router)));
  const app = (
    <StrictMode>
      <App router={router} client={queryClient} onReady={early?.onReady} />
    </StrictMode>
  );
  if (!data) {
    createRoot(root).render(app);
    return;
  }
  // The drawn page stays until its code is loaded.
  await whenInitialized(router);
  await nextTask();
  const hydrates = asDrawn && !router.state.errors;
  beginFirstDraw({ hydrates });
  if (hydrates) {
    early?.beforeHydration();
    restoreStyles(root);
    startTransition(() => void hydrateRoot(root, app));
  } else createRoot(root).render(app);
}
