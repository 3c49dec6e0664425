import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { findChromium, noChromium } from '../../scripts/lib/chromium.mjs';

/** Offences of each context since the last check: requests to other machines, and violations of a page's policy. */
const outside = new WeakMap<BrowserContext, string[]>();

function isOutside(address: string): boolean {
  const url = new URL(address);
  const network = ['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol);
  return network && url.hostname !== 'localhost' && url.hostname !== '127.0.0.1';
}

/**
 * Records every request that leaves the machine, including those of service workers and web sockets, and every breach
 * of a Content-Security-Policy.
 */
function watch(context: BrowserContext): void {
  const seen: string[] = [];
  outside.set(context, seen);
  const note = (address: string) => {
    if (isOutside(address)) seen.push(address);
  };
  context.on('request', (request) => note(request.url()));
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) seen.push(message.text());
  });
  context.on('page', (page) => page.on('websocket', (socket) => note(socket.url())));
}

/**
 * No optimising compilers of JavaScript: the page of a test ends before its optimised code is worth the compilation.
 * This saves about an eighth of Chromium's processor time. Garbage is collected without further threads and in a larger
 * young generation, too. Not for measurements of speed.
 */
export const UNOPTIMISED = '--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=16';

/**
 * Starts headless Chromium for a test. It records the requests of every context for {@link expectNoOutsideRequests} and
 * resolves no name but localhost, so a stray request fails at once on a machine with a network as well.
 * @param flags further command-line flags of Chromium
 * @throws when the machine has no Chromium, with instructions in the message
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error(noChromium);
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox', // root cannot have it, and the pages are our own
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ...flags,
    ],
  });
  browser.on('context', watch);
  return browser;
}

/**
 * Checks that no page of the context has requested anything but localhost or 127.0.0.1 since the last check. Call it at
 * the end of every end-to-end test: once installed, the product needs no network. Checks also that no page has violated
 * its Content-Security-Policy.
 * @throws an error with the addresses and violations
 */
export function expectNoOutsideRequests(context: BrowserContext): void {
  const seen = outside.get(context)?.splice(0);
  if (!seen) throw new Error('This context is not watched: its browser must come from launchBrowser().');
  if (seen.length > 0)
    throw new Error(`A page asked for other machines, or violated its policy: ${[...new Set(seen)].join(', ')}`);
}
