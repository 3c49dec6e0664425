import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startApp } from '../support/app-process.js';
import { seededData } from '../support/seeded-data.js';
import { type Engine, type Tab } from './engine.js';
import { startFirefox } from './firefox.js';
import { Visitor } from './visitor.js';
import { startWebKit } from './webkit.js';

export const PHONE = [390, 844] as const;
export const DESKTOP = [1280, 800] as const;

const STARTS: Readonly<Record<string, () => Promise<Engine>>> = { firefox: startFirefox, webkit: startWebKit };

/** The names of this run's engines, chosen by `scripts/test-browsers.mjs`. */
export const engines = Object.keys(STARTS).filter((name) =>
  (process.env['ENGINES'] ?? Object.keys(STARTS).join()).split(',').includes(name),
);

/** The built app with a demo. */
export interface Place {
  readonly url: string;
  readonly dataDir: string;
  /** Opens an engine and a tab for a journey, and closes both after it. */
  visit(engine: string, journey: (visitor: Visitor, engine: Engine, tab: Tab) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** @param pastMonths months of the full demo's past, which the start makes; by default the small demo without one */
export async function openPlace({ pastMonths = 0 } = {}): Promise<Place> {
  const dataDir = pastMonths > 0 ? await mkdtemp(join(tmpdir(), 'fanvas-browsers-')) : await seededData();
  const demo = pastMonths > 0 ? { SANDBOX_PAST_MONTHS: String(pastMonths) } : { SANDBOX_DEMO: 'small' };
  const env = { SANDBOX_DRAW_MS: '500', ...demo };
  const app = await startApp({ dataDir, port: await freePort(), env, timeoutMs: 600_000 });
  return {
    url: app.url,
    dataDir,
    visit: async (name, journey) => {
      const engine = await STARTS[name]!();
      try {
        const tab = await engine.open();
        await tab.resize(...DESKTOP);
        await journey(new Visitor(tab, app.url, name), engine, tab);
        await tab.close();
      } finally {
        await engine.close();
      }
    },
    close: async () => {
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
