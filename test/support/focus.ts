import type { Locator } from 'playwright-core';

/**
 * Waits until the focus is on the target or inside it. An overlay takes the focus shortly after it appears, and returns
 * it shortly after it closes: keys that are pressed earlier reach another element.
 */
export async function focusOn(target: Locator): Promise<void> {
  const focused = target.page().locator(':focus');
  await target.and(focused).or(target.locator(focused)).first().waitFor({ state: 'attached' });
}
