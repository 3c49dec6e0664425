import type { Page } from 'playwright-core';

/** Waits until the page is idle. Only then do new elements react to keys. */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 5_000 }))),
  );
}

/** Resizes the window, and waits until the page has drawn what it shows at that width. */
export async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await idle(page);
}
