import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { Builder, Capabilities, Key, Origin, type WebDriver } from 'selenium-webdriver';
import { WEBKIT_DRIVER, webkitBrowser, XVFB } from '../../scripts/lib/engines.mjs';
import { freePort } from '../support/app-process.js';
import { until } from '../support/until.js';
import { type Engine, type Tab } from './engine.js';

/** The toolbar would not let the window be as narrow as a phone. */
const NARROW_TOOLBAR = 'toolbar, toolbar *, entry, button { min-width: 0; padding: 0; margin: 0; font-size: 1px; }';

/** WebKitGTK's small browser on a screen of its own. Each tab is a session of WebDriver, with a browser of its own. */
export async function startWebKit(): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'fanvas-webkit-'));
  const downloads = join(home, 'Downloads');
  const config = join(home, '.config');
  await mkdir(downloads);
  await mkdir(join(config, 'gtk-3.0'), { recursive: true });
  await writeFile(join(config, 'gtk-3.0', 'gtk.css'), NARROW_TOOLBAR);
  await writeFile(join(config, 'gtk-3.0', 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  await writeFile(join(config, 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');

  // It chooses a free display, and writes its number when it is ready.
  const screen = spawn(XVFB, ['-displayfd', '3', '-screen', '0', '1400x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = (await Promise.race([
    once(screen.stdio[3] as Readable, 'data'),
    once(screen, 'exit').then(() => Promise.reject(new Error('The screen of WebKit did not start.'))),
  ])) as [Buffer];
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    DISPLAY: `:${display.toString().trim()}`,
    // As root the engine's own sandbox does not start; without a GPU its shared buffers do not.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const port = await freePort();
  const server = spawn(WEBKIT_DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${address}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'the driver of WebKit',
    30_000,
    50,
  );
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: webkitBrowser(), args: ['--automation'] },
  });
  return {
    downloads,
    open: async () => tabOf(await new Builder().usingServer(address).withCapabilities(capabilities).build()),
    close: async () => {
      await end(server);
      await end(screen);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** While one page follows another, the driver loses the result of a script. */
const LOST_RESULT = /Could not parse script result/;
const MOST_TRIES = 3;

function tabOf(driver: WebDriver): Tab {
  const evaluate: Tab['evaluate'] = async <T, A extends unknown[]>(script: (...args: A) => T, ...args: A) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await driver.executeScript<T>(`return (${script.toString()})(...arguments)`, ...args);
      } catch (error) {
        if (tries === MOST_TRIES || !LOST_RESULT.test(String(error))) throw error;
      }
    }
  };
  return {
    goto: (address) => driver.get(address),
    back: () => driver.executeScript('history.back()'),
    evaluate,
    clickAt: (x, y) => driver.actions().move({ x, y, duration: 0, origin: Origin.VIEWPORT }).click().perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    pressEnter: () => driver.actions().sendKeys(Key.ENTER).perform(),
    resize: (width, height) =>
      until(
        async () => {
          const [inner, outer] = await evaluate(
            () => [[window.innerWidth, window.innerHeight], window.outerHeight] as const,
          );
          if (inner.join() === [width, height].join()) return true;
          // The toolbars take some of the height.
          const rect = { x: 0, y: 0, width, height: height + outer - (inner[1] ?? 0) };
          await driver.manage().window().setRect(rect);
          return false;
        },
        `a window of ${width} x ${height} px`,
        20_000,
        100,
      ).then(() => undefined),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    close: () => driver.quit(),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
