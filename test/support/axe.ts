import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { resize } from './idle.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Rules that depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

type RunOnly = { readonly type: 'tag' | 'rule'; readonly values: readonly string[] };

interface Scope {
  /** Checks the colours of the light theme as well; one test for each type of page does. */
  readonly light?: boolean;
  /** Further tags of axe's rules, in addition to WCAG. */
  readonly moreTags?: readonly string[];
}

/**
 * Returns the violations of WCAG 2.2 A and AA that axe finds on the page as it is now, in the dark theme: empty, or
 * `theme rule: element`. In the light theme it checks only colours: nothing else differs between the two.
 */
export async function accessibilityFaults(page: Page, { light = false, moreTags = [] }: Scope = {}): Promise<string[]> {
  const inDark = await faultsIn(page, 'dark', { type: 'tag', values: [...TAGS, ...moreTags] });
  if (!light) return inDark;
  const inLight = await faultsIn(page, 'light', { type: 'rule', values: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...inDark, ...inLight];
}

/**
 * The violations in both themes, on a wide screen and on a phone, and on a phone whether the page scrolls sideways, and
 * heads of tables that are not in their row, where they would cover another one.
 */
export async function screenFaults(page: Page): Promise<string[]> {
  const wide = await accessibilityFaults(page, { light: true });
  const size = page.viewportSize();
  await resize(page, { width: 390, height: 844 });
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  const moved = await page.evaluate(movedHeads);
  const narrow = await accessibilityFaults(page, { light: true });
  if (size) await resize(page, size);
  return [...wide, ...narrow, ...(scrolls ? ['scrolls sideways'] : []), ...moved];
}

/** Runs in the page: sticky heads that have left their row although the page is not scrolled. */
function movedHeads(): string[] {
  if (scrollY > 0) return [];
  const topOf = (element: Element): number => element.getBoundingClientRect().top;
  return [...document.querySelectorAll('thead th')]
    .filter((head) => head.checkVisibility() && Math.abs(topOf(head) - topOf(head.parentElement!)) > 1)
    .map((head) => `the head "${head.textContent}" has left its row`);
}

async function faultsIn(page: Page, colorScheme: 'dark' | 'light', runOnly: RunOnly): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  await animationsEnd(page);
  // A single call: frames of other origins, which a general driver would have to visit, do not occur.
  if (!(await page.evaluate(() => 'axe' in window))) await addAxe(page);
  const found = await page.evaluate(async (only) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: only as axe.RunOnly,
      resultTypes: ['violations'],
      preload: false, // no rule of these tags reads style sheets
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, runOnly);
  return found.map((fault) => `${colorScheme} ${fault}`);
}

/**
 * Runs axe's script in the page. Unlike `page.evaluate`, which calls `eval`, the protocol's own call takes the compiled
 * script of an earlier page of the same process.
 */
async function addAxe(page: Page): Promise<void> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
}
let source: string | undefined;

/** Elements that fade in have no contrast yet. Endless animations are ignored. */
async function animationsEnd(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  );
}
