import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { PAGE_DATA_ID } from '../../../src/contract/page-data.js';
import { bootPage } from './boot-page.js';

const start = jest.fn(() => Promise.resolve());
const DRAWN = `<div id="root"><h1>Juno</h1><button>Menu</button></div><script id="${PAGE_DATA_ID}" type="application/json">{}</script>`;

/** Starts a page. The code of the app is what `app` returns. */
function boot(html: string, app: () => Promise<{ start: typeof start }>): void {
  document.body.innerHTML = html;
  void bootPage(app);
}

describe('bootPage', () => {
  beforeEach(() => {
    start.mockClear();
    // The server answers, and the page was reloaded a moment ago, so it is not reloaded again.
    globalThis.fetch = () => Promise.resolve({ ok: true } as Response);
    jest.spyOn(Storage.prototype, 'getItem').mockReturnValue(String(Date.now()));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    document.body.replaceChildren();
  });

  it('has ended before the code of the app runs, which imports parts of it', async () => {
    let run: (app: { start: typeof start }) => void = () => undefined;
    const app = new Promise<{ start: typeof start }>((resolve) => (run = resolve));
    boot('<div id="root"></div>', () => app);
    expect(start).not.toHaveBeenCalled();
    run({ start });
    await waitFor(() => expect(start).toHaveBeenCalled());
    expect(start.mock.calls).toEqual([[document.getElementById('root'), null]]);
  });

  it('loads the code of a drawn page when its first picture is shown, and keeps what is pressed until then', async () => {
    let show = (): void => undefined;
    const shown = new Promise<void>((resolve) => (show = resolve));
    Object.assign(HTMLImageElement.prototype, { decode: () => shown });
    const load = jest.fn(() => Promise.resolve({ start }));
    const link = '<link data-rel="modulepreload" href="/assets/main.js">';
    boot(`${link}${DRAWN.replace('<h1>', '<img fetchpriority="high"><h1>')}`, load);
    const preloads = (): number => document.querySelectorAll('link[rel=modulepreload]').length;
    const press = new MouseEvent('click', { bubbles: true, cancelable: true });
    document.querySelector('button')!.dispatchEvent(press);
    expect(press.defaultPrevented).toBe(true);
    expect([load.mock.calls.length, preloads()]).toEqual([0, 0]);
    show();
    await waitFor(() => expect(start).toHaveBeenCalled());
    expect(preloads()).toBe(1);
    const early = { beforeHydration: expect.any(Function), onReady: expect.any(Function) };
    expect(start.mock.calls).toEqual([[document.getElementById('root'), early]]);
  });

  it.each([
    [
      'says that a page without content could not be loaded',
      '<div id="root">Loading…</div>',
      /^This page could not be loaded/,
    ],
    ['leaves a drawn page as it is when its code could not be loaded', DRAWN, /^JunoMenu$/],
  ])('%s', async (_, html, text) => {
    const log = jest.spyOn(console, 'error').mockReturnValue(undefined);
    boot(html, () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/app.js')));
    await waitFor(() => expect(log).toHaveBeenCalledTimes(1));
    expect(document.getElementById('root')?.textContent).toMatch(text);
    expect(start).not.toHaveBeenCalled();
  });
});
