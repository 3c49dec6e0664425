import { rm } from 'node:fs/promises';
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

/** The built app with the small demo. */
export interface Place {
  readonly url: string;
  readonly dataDir: string;
  /** Opens an engine and a tab for a journey, and closes both after it. */
  visit(engine: string, journey: (visitor: Visitor, engine: Engine, tab: Tab) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openPlace(): Promise<Place> {
  const dataDir = await seededData();
  const env = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '500' };
  const app = await startApp({ dataDir, port: await freePort(), env });
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
