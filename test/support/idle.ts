import type { Page } from 'playwright-core';

/** Waits until the page has nothing else to do for the moment: what has just been drawn listens to keys only then. */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 5_000 }))),
  );
}
