import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser } from 'playwright-core';
import { expectNoOutsideRequests, launchBrowser } from '../support/chromium.js';

/** Every end-to-end test relies on this check. */
describe('expectNoOutsideRequests', () => {
  let server: Server;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const script = request.url === '/stray' ? "fetch('http://example.test/pixel').catch(() => {})" : '';
      response.setHeader('content-type', 'text/html').end(`<!doctype html><p>Hello</p><script>${script}</script>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('accepts a page that requests only this machine', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${address}/`);
    expect(await page.textContent('p')).toBe('Hello');
    expectNoOutsideRequests(context);
    await context.close();
  });

  it('throws when a page requests another machine', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked = page.waitForRequest('http://example.test/pixel');
    await page.goto(`${address}/stray`);
    await asked;
    expect(() => expectNoOutsideRequests(context)).toThrow('http://example.test/pixel');
    await context.close();
  });
});
