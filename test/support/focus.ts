import type { Locator } from 'playwright-core';

/**
 * Waits until the focus is on it or in it. What opens takes the focus, and what closes gives it back, a moment after it is to be
 * seen: keys that are pressed before go elsewhere.
 */
export async function focusOn(target: Locator): Promise<void> {
  const focused = target.page().locator(':focus');
  await target.and(focused).or(target.locator(focused)).first().waitFor({ state: 'attached' });
}
