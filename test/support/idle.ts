import type { Page } from 'playwright-core';

/** Waits until the page is idle. Only then do new elements react to keys. */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 5_000 }))),
  );
}
