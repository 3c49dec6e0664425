import { type Browser, type CDPSession, type Page } from 'playwright-core';

/** Measurements of a page on a phone. */
export interface WebVitals {
  /** Largest contentful paint, ms after the start of the navigation, and its element. */
  readonly lcpMs: number;
  readonly lcpElement: string;
  /** Sum of all layout shifts without recent input. It is never less than the CLS, which covers one session window. */
  readonly cls: number;
  /** Elements that moved, the largest shift first. */
  readonly shifted: readonly string[];
  readonly longestTaskMs: number;
  /**
   * Total blocking time (web.dev/articles/tbt): the time beyond 50 ms of every long task from the first paint of
   * content until the network is quiet. Before that paint there is nothing that a person could press.
   */
  readonly blockingMs: number;
  /** The same of the long tasks before it: the browser parses the page, computes its styles and lays it out. */
  readonly beforePaintMs: number;
  /** Requests until the network is quiet, and the bytes of their responses as sent, headers included. */
  readonly requests: number;
  readonly bytes: number;
}

interface Seen {
  lcp: { at: number; element: string } | null;
  shifts: { value: number; what: string }[];
  fcp: number;
  tasks: { at: number; duration: number }[];
}

/** Runs in the page, before anything else. */
function observe(): void {
  const seen: Seen = { lcp: null, shifts: [], fcp: Infinity, tasks: [] };
  const catchUps: (() => void)[] = [];
  const seenVitals = (): Seen => {
    for (const catchUp of catchUps) catchUp();
    return seen;
  };
  Object.assign(window, { seenVitals });
  const describe = (node: Node | null | undefined): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (!element) return 'a removed element';
    return `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`;
  };
  const watch = (type: string, note: (entry: PerformanceEntry) => void): void => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
    observer.observe({ type, buffered: true });
    // A busy page may not have delivered the last entries yet.
    catchUps.push(() => observer.takeRecords().forEach(note));
  };
  watch('largest-contentful-paint', (entry) => {
    const { startTime, element } = entry as PerformanceEntry & { element: Element | null };
    seen.lcp = { at: startTime, element: describe(element) };
  });
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    };
    if (!hadRecentInput) seen.shifts.push({ value, what: sources.map(({ node }) => describe(node)).join(', ') });
  });
  watch('longtask', ({ startTime, duration }) => seen.tasks.push({ at: startTime, duration }));
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcp = startTime;
  });
}

/** Options of a browser context for a phone. */
export const PHONE_SCREEN = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** A slow 4G: 150 ms round trip, 1.6 Mbit/s down. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/**
 * Evaluates an expression in the page, and awaits it. Playwright's own calls would first run its large script in the
 * page: a long task on a slow processor, which no visitor has.
 */
async function evaluate<T>(session: CDPSession, expression: string): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(`${exceptionDetails.text} ${result.description ?? ''}`);
  return result.value as T;
}

/**
 * Resolves when the page is hydrated and idle. Hydration removes the numbers of the styles. The network may be quiet
 * before it: the code comes after the first pictures.
 */
const HYDRATED = `new Promise((idle) => {
  const look = () => (document.querySelector('[data-s]') ? setTimeout(look, 50) : requestIdleCallback(idle));
  look();
})`;

/** Resolves with what was seen until the next paint. */
const SEEN = `new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))).then(() => seenVitals())`;

function blockingTime(taskMs: readonly number[]): number {
  return taskMs.reduce((sum, duration) => sum + Math.max(0, duration - 50), 0);
}

/**
 * Opens a page in a browser without a cache, on a phone's screen, and measures until its network is quiet.
 * @param options.throttled a slow 4G and a quarter of this machine's speed; by default no limits
 * @param options.prepare runs on the empty page, before the navigation
 * @param options.loading runs when the document has loaded, before the network is quiet
 * @param options.then further actions of the fan, also measured
 */
export async function measureVitals(
  browser: Browser,
  url: string,
  options: {
    readonly throttled: boolean;
    readonly viewport?: { readonly width: number; readonly height: number };
    readonly prepare?: (page: Page) => Promise<unknown>;
    readonly loading?: (page: Page) => Promise<unknown>;
    readonly then?: (page: Page) => Promise<unknown>;
  },
): Promise<WebVitals> {
  const { viewport } = options;
  const context = await browser.newContext(viewport ? { viewport, deviceScaleFactor: 2 } : PHONE_SCREEN);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.addInitScript(observe);
    await options.prepare?.(page);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const traffic = { requests: 0, bytes: 0 };
    session.on('Network.requestWillBeSent', ({ request }) => {
      if (/^https?:/.test(request.url)) traffic.requests += 1;
    });
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (traffic.bytes += encodedDataLength));
    if (options.throttled) {
      await session.send('Network.emulateNetworkConditions', SLOW_4G);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    }
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    await options.loading?.(page);
    await evaluate(session, HYDRATED);
    await page.waitForLoadState('networkidle');
    const firstView = { ...traffic };
    await options.then?.(page);
    const { lcp, shifts, fcp, tasks } = await evaluate<Seen>(session, SEEN);
    if (!lcp) throw new Error(`Nothing was painted at ${url}.`);
    return {
      lcpMs: lcp.at,
      lcpElement: lcp.element,
      cls: shifts.reduce((sum, { value }) => sum + value, 0),
      shifted: [...shifts]
        .sort((a, b) => b.value - a.value)
        .map(({ value, what: element }) => `${value.toFixed(4)} ${element}`),
      longestTaskMs: Math.max(0, ...tasks.map(({ duration }) => duration)),
      blockingMs: blockingTime(tasks.map(({ at, duration }) => Math.min(duration, at + duration - fcp))),
      beforePaintMs: blockingTime(tasks.map(({ at, duration }) => Math.min(duration, fcp - at))),
      ...firstView,
    };
  } finally {
    await context.close();
  }
}
