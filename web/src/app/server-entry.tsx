import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter } from 'react-router-dom';
import type { DrawPage } from '../../../src/contract/page-data.js';
import { createQueryClient } from '../lib/query.js';
import { setServerOrigin } from '../lib/site-origin.js';
import { App } from './app.js';
import { splitRendered } from './drawn-html.js';
import { whenInitialized } from './page-code.js';
import { fillCache } from './page-data.js';
import { routes } from './routes.js';

/** Draws pages for the server, which imports this module from the second web build. */
export const drawPage: DrawPage = async ({ path, data, origin }) => {
  setServerOrigin(origin);
  const client = createQueryClient();
  fillCache(client, path, data);
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  try {
    await whenInitialized(router);
    if (router.state.errors)
      throw new Error(`The code of the page at ${path} could not be loaded.`, { cause: router.state.errors });
    return splitRendered(
      renderToString(
        <StrictMode>
          <App router={router} client={client} />
        </StrictMode>,
      ),
    );
  } finally {
    router.dispose();
    client.clear();
  }
};
