import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { type Browser } from 'playwright-core';
import { PHONE_SCREEN } from './web-vitals.js';

/** A server of static copies of an app's pages. Everything else, such as pictures and fonts, comes from the app. */
export interface StaticCopies {
  readonly url: string;
  /** Copies the page at this path as a phone shows it: HTML with inline styles and its pictures, no script. */
  readonly copy: (browser: Browser, path: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a server of static copies of the app at this origin. */
export async function serveStaticCopies(appUrl: string): Promise<StaticCopies> {
  const pages = new Map<string, Buffer>();
  const server = createServer((incoming, outgoing) => {
    const page = pages.get(incoming.url ?? '');
    if (page) {
      outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }).end(page);
      return;
    }
    const { method, headers } = incoming;
    const passed = request(new URL(incoming.url ?? '/', appUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => outgoing.destroy(error));
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    copy: async (browser, path) => {
      pages.set(path, brotliCompressSync(Buffer.from(await staticCopy(browser, appUrl + path))));
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function staticCopy(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext(PHONE_SCREEN);
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator('main img').first().waitFor();
    return await page.evaluate(async () => {
      for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
        const style = document.createElement('style');
        style.textContent = await (await fetch(link.href)).text();
        link.replaceWith(style);
      }
      for (const part of document.querySelectorAll('script, noscript, link[rel=modulepreload], link[data-rel]'))
        part.remove();
      return `<!doctype html>${document.documentElement.outerHTML}`;
    });
  } finally {
    await context.close();
  }
}
