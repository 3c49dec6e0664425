import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules whose verdict depends on colours. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

type RunOnly = { readonly type: 'tag' | 'rule'; readonly values: readonly string[] };

/**
 * What axe finds on the page as it is now, by WCAG 2.2 A and AA, dark and light; empty when all is well. In the light theme only the rules
 * of colour are asked: nothing else differs between the two.
 * @param moreTags of axe, besides those of WCAG
 * @returns `theme rule: element`
 */
export async function accessibilityFaults(page: Page, moreTags: readonly string[] = []): Promise<string[]> {
  const before = await page.evaluate(() => matchMedia('(prefers-color-scheme: light)').matches);
  const inDark = await faultsIn(page, 'dark', { type: 'tag', values: [...TAGS, ...moreTags] });
  const inLight = await faultsIn(page, 'light', { type: 'rule', values: RULES_OF_COLOUR });
  await page.emulateMedia({ colorScheme: before ? 'light' : 'dark' });
  return [...inDark, ...inLight];
}

async function faultsIn(page: Page, colorScheme: 'dark' | 'light', runOnly: RunOnly): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  await animationsEnd(page);
  // One round through the page instead of the many of a general driver: frames of other origins do not occur.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (only) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: only as axe.RunOnly,
      resultTypes: ['violations'],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, runOnly);
  return found.map((fault) => `${colorScheme} ${fault}`);
}

/** What is fading in has no contrast yet. Animations that never end are not waited for. */
async function animationsEnd(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  );
}
