import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser } from 'playwright-core';
import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { freePort, startApp } from '../support/app-process.js';
import { launchBrowser } from '../support/chromium.js';
import { serveStaticCopies } from '../support/static-copies.js';
import { measureVitals, type WebVitals } from '../support/web-vitals.js';
import { bench, median } from './bench.js';

const PAIRS = 9;
/** Time limit for the first start, which draws the demo pictures. */
const DRAWING_MS = 300_000;
/**
 * To count requests, DevTools takes the stack of each request that a script makes. For that, V8 parses the functions of
 * the stack again to find their lines, which no visitor's browser does: half of the task that starts React. With this
 * flag V8 notes the lines when it first parses a function, which costs a little in every function instead.
 */
const WITHOUT_SECOND_PARSE = '--js-flags=--no-enable-lazy-source-positions';
/**
 * A new window of Chromium loads the pages of its own address bar in the first seconds, on the same cores. A visitor
 * follows a link in a window that is already open. This replaces the list of the browser's driver, which has nothing
 * that a page is measured by.
 */
const WITHOUT_OWN_PAGES = '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup';

/**
 * The built app with its demo creators on a phone: empty cache, slow 4G, slow processor. The limit is the same page as
 * static HTML with inline styles and the same pictures, without a script, measured in turns with it.
 */
await bench(async ({ databaseUrl, quick, report, compare }) => {
  await ensureBuilt();
  await ensureChromium();
  const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-browser-'));
  const env = { DATABASE_URL: databaseUrl, SANDBOX_DEMO: quick ? 'small' : 'full', SANDBOX_PAST_MONTHS: '0' };
  const app = await startApp({ dataDir, port: await freePort(), env, timeoutMs: DRAWING_MS });
  const browser = await launchBrowser([WITHOUT_SECOND_PARSE, WITHOUT_OWN_PAGES]);
  const copies = await serveStaticCopies(app.url);
  try {
    for (const path of ['/', '/junoabara', await finishedPicture(browser, `${app.url}/junoabara`)]) {
      const label = path.includes('/generate/') ? '/junoabara/generate/{id}' : path;
      const runs: WebVitals[] = [];
      const open = (origin: string): Promise<WebVitals> => measureVitals(browser, origin + path, { throttled: !quick });
      await copies.copy(browser, path);
      await compare({
        name: `\`${label}\`, largest contentful paint`,
        unit: 's',
        target: { atMost: 1.25 },
        base: 'static HTML, no script',
        rounds: PAIRS,
        run: async () => {
          const vitals = await open(app.url);
          runs.push(vitals);
          return vitals.lcpMs / 1000;
        },
        runBase: async () => (await open(copies.url)).lcpMs / 1000,
      });
      // The first visit warmed up the server.
      if (!quick) runs.shift();
      if (process.env['BENCH_VERBOSE']) process.stderr.write(`${JSON.stringify(runs, null, 1)}\n`);
      const row = (aspect: string, unit: string, atMost: number, figure: (vitals: WebVitals) => number): void => {
        report({ name: `\`${label}\`, ${aspect}`, unit, target: { atMost }, measured: median(runs.map(figure)) });
      };
      row('blocking time', 'ms', 100, ({ blockingMs }) => blockingMs);
      // Shown with two decimals, this is 0.00.
      row('layout shift', '', 0.0049, ({ cls }) => cls);
      if (path !== '/') continue;
      row('requests of a first view', '', 25, ({ requests }) => requests);
      row('bytes of a first view', 'kB', 400, ({ bytes }) => bytes / 1000);
    }
  } finally {
    await browser.close();
    await copies.stop();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** The path of a finished picture in the gallery at this address. */
async function finishedPicture(browser: Browser, gallery: string): Promise<string> {
  const page = await browser.newPage();
  try {
    await page.goto(gallery);
    const link = page.locator('main a[href*="/generate/"]').first();
    await link.waitFor();
    return (await link.getAttribute('href')) ?? gallery;
  } finally {
    await page.close();
  }
}
