import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { freePort, startApp } from '../support/app-process.js';
import { launchBrowser } from '../support/chromium.js';
import { measureVitals, type WebVitals } from '../support/web-vitals.js';
import { bench, median } from './bench.js';

const PAGES = ['/', '/junoabara'];
const RUNS = 5;
/** Time limit for the first start, which draws the demo pictures. */
const DRAWING_MS = 300_000;

/** The built app with its demo creators on a phone: empty cache, slow 4G, slow processor. */
await bench(async ({ databaseUrl, quick, report }) => {
  await ensureBuilt();
  await ensureChromium();
  const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-browser-'));
  const env = { DATABASE_URL: databaseUrl, SANDBOX_DEMO: quick ? 'none' : 'full' };
  const app = await startApp({ dataDir, port: await freePort(), env, timeoutMs: DRAWING_MS });
  const browser = await launchBrowser();
  try {
    for (const path of PAGES) {
      const open = (): Promise<WebVitals> => measureVitals(browser, app.url + path, { throttled: !quick });
      const runs: WebVitals[] = [];
      // The first visit warms up the server.
      if (!quick) await open();
      while (runs.length < (quick ? 1 : RUNS)) runs.push(await open());
      const middle = (figure: (vitals: WebVitals) => number): number => median(runs.map(figure));
      if (process.env['BENCH_VERBOSE']) process.stderr.write(`${JSON.stringify(runs, null, 1)}\n`);
      report({
        name: `\`${path}\`, largest contentful paint`,
        unit: 's',
        target: { atMost: 2.5 },
        measured: middle(({ lcpMs }) => lcpMs) / 1000,
      });
      report({
        name: `\`${path}\`, layout shift`,
        unit: '',
        target: { atMost: 0.02 },
        measured: middle(({ cls }) => cls),
      });
      report({
        name: `\`${path}\`, longest task`,
        unit: 'ms',
        target: { atMost: 200 },
        measured: middle(({ longestTaskMs }) => longestTaskMs),
      });
      report({
        name: `\`${path}\`, blocking time`,
        unit: 'ms',
        target: { atMost: 300 },
        measured: middle(({ blockingMs }) => blockingMs),
      });
    }
  } finally {
    await browser.close();
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
