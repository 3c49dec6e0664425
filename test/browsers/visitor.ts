import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Tab } from './engine.js';

const PATIENCE_MS = 60_000;
const PICTURE_MS = 10_000;
const LOOK_EVERY_MS = 100;
const ARTIFACTS = fileURLToPath(new URL('../.artifacts/browsers', import.meta.url));

/** Elements with a role. A selector of another name is CSS. */
const ROLES: Readonly<Record<string, string>> = {
  button: 'button, [role="button"]',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  menuitem: '[role="menuitem"]',
  tab: '[role="tab"]',
  field: 'input, textarea',
};

/** A place of the page that can be clicked. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  /** The other element that a click would hit there. */
  readonly covered: string | null;
}

/** Runs in the page: scrolls to the first element, in view, of this role and name. Null without one. */
function look(selector: string, pattern: string, flags: string, index: number): Spot | null {
  const textOf = (element: Element | null | undefined): string =>
    ((element as HTMLElement)?.innerText ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element): string =>
    element.getAttribute('aria-label') ??
    ((element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => textOf(document.getElementById(id)))
      .join(' ')
      .trim() ||
      textOf((element as HTMLInputElement).labels?.[0]) ||
      textOf(element) ||
      (element.querySelector('img')?.alt ?? ''));
  const isThere = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert], [aria-hidden="true"]') === null &&
    element.getClientRects().length > 0;
  const found = [...document.querySelectorAll(selector)].filter(
    (element) => new RegExp(pattern, flags).test(nameOf(element)) && isThere(element),
  )[index];
  if (!found) return null;
  // People see the label of a hidden input.
  const seen = /^(radio|checkbox)$/.test((found as HTMLInputElement).type) ? (found.closest('label') ?? found) : found;
  const inView = ({ top, bottom, left, right }: DOMRect): boolean =>
    top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!inView(seen.getBoundingClientRect())) {
    seen.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  }
  const { left, top, width, height } = seen.getClientRects()[0]!;
  const x = Math.round(left + width / 2);
  const y = Math.round(top + height / 2);
  const hit = document.elementFromPoint(x, y);
  const isHit = hit !== null && (seen.contains(hit) || (hit.closest('label') as HTMLLabelElement)?.control === found);
  const outer = hit?.outerHTML.slice(0, 200) ?? 'nothing';
  return { x, y, name: nameOf(found), covered: isHit ? null : outer };
}

/** Runs in the page: visible controls whose middle belongs to another element. */
function coveredControls(): string[] {
  const controls = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"], [role="switch"], [role="radio"]',
    ),
  ].filter(
    (control) =>
      control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !control.matches(':disabled, [type="hidden"]') &&
      control.closest('[inert], [aria-hidden="true"]') === null,
  );
  const faults: string[] = [];
  for (const control of controls) {
    const label = (control as HTMLInputElement).labels?.[0];
    // A link that breaks has a box for each line; a clipped control is not visible.
    const boxes = () => [...control.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (boxes().length === 0) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = boxes()[0]!;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit && (control.contains(hit) || label?.contains(hit))) continue;
    // Only keys press this one: the element around it takes the pointer.
    if (hit?.contains(control) && getComputedStyle(control).pointerEvents === 'none') continue;
    // WebKitGTK draws the bar over the lowest part of an area that scrolls sideways.
    const isBar = hit !== null && hit.contains(control) && hit.scrollWidth > hit.clientWidth;
    if (isBar && hit.getBoundingClientRect().bottom - (top + height / 2) < 24) continue;
    const name = (control.getAttribute('aria-label') ?? label?.textContent ?? control.textContent ?? '').trim();
    faults.push(`${control.tagName} "${name.slice(0, 60)}" is under ${hit?.outerHTML.slice(0, 160) ?? 'nothing'}`);
  }
  return faults;
}

/** A person with a mouse and keys, in one tab. Every act waits until it is possible. */
export class Visitor {
  constructor(
    private readonly tab: Tab,
    private readonly origin: string,
    private readonly engine: string,
  ) {}

  /** Signs the person in with the cookies of the identity provider. */
  async signIn(cookies: Readonly<Record<string, string>>): Promise<void> {
    await this.tab.goto(`${this.origin}/robots.txt`);
    await this.tab.evaluate((all) => {
      for (const [name, value] of Object.entries(all)) document.cookie = `${name}=${value}; path=/`;
    }, cookies);
  }

  /** Opens a page, and waits until it is hydrated. */
  async open(path: string): Promise<void> {
    await this.tab.goto(this.origin + path);
    await this.until(`a hydrated ${path}`, () => this.see(() => document.querySelector('[data-s]') === null));
  }

  resize(width: number, height: number): Promise<void> {
    return this.tab.resize(width, height);
  }

  back(): Promise<void> {
    return this.tab.back();
  }

  /** The path of the address, with its query. */
  path(): Promise<string> {
    return this.see(() => location.pathname + location.search);
  }

  arriveAt(path: RegExp): Promise<string> {
    return this.until(`the address ${path}`, async () => {
      const now = await this.path();
      return path.test(now) ? now : null;
    });
  }

  /** The text that people see. */
  text(): Promise<string> {
    return this.see(() => document.body.innerText);
  }

  /** Waits for an element, and returns its name. */
  async find(role: string, name: string | RegExp = /(?:)/): Promise<string> {
    const spot = await this.until(`${role} ${String(name)}`, () => this.look(role, name, 0));
    return spot.name;
  }

  /** Whether such an element is there now. */
  async has(role: string, name: string | RegExp = /(?:)/): Promise<boolean> {
    return (await this.look(role, name, 0)) !== null;
  }

  /** Clicks the middle of an element once it has come to rest. Nothing else may be in front of it. */
  async click(role: string, name: string | RegExp = /(?:)/, index = 0): Promise<string> {
    let before: Spot | null = null;
    let covered: string | null = null;
    const spot = await this.until(
      () => `${role} ${String(name)} that can be clicked${covered ? `; in front is ${covered}` : ''}`,
      async () => {
        const now = await this.look(role, name, index);
        const rests = now !== null && now.x === before?.x && now.y === before.y;
        before = now;
        covered = now?.covered ?? null;
        return rests && !now.covered ? now : null;
      },
    );
    await this.tab.clickAt(spot.x, spot.y);
    return spot.name;
  }

  /** Fills fields, by their selectors. What a form loses while it draws itself again is typed again. */
  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    const isFilled = (field: string, text: string): boolean =>
      document.querySelector<HTMLInputElement>(field)?.value === text;
    await this.until(`the text in ${Object.keys(fields).join()}`, async () => {
      let filled = true;
      for (const [field, text] of Object.entries(fields)) {
        if (await this.see(isFilled, field, text)) continue;
        filled = false;
        await this.click(field);
        await this.see(() => (document.activeElement as HTMLInputElement).select());
        await this.tab.type(text);
      }
      return filled;
    });
  }

  pressEnter(): Promise<void> {
    return this.tab.pressEnter();
  }

  type(text: string): Promise<void> {
    return this.tab.type(text);
  }

  /** Visible controls that another element covers. */
  async coveredControls(): Promise<string[]> {
    return this.see(coveredControls);
  }

  see<T, A extends unknown[]>(script: (...args: A) => T, ...args: A): Promise<T> {
    return this.tab.evaluate(script, ...args);
  }

  /** @throws with what the page shows, and with a picture of it in test/.artifacts, when it does not happen */
  async until<T>(subject: string | (() => string), check: () => Promise<T>): Promise<NonNullable<T>> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      // While one page follows another, nothing can run in it.
      const seen = await check().catch((error: unknown) => {
        if (Date.now() > end) throw error;
        return null;
      });
      if (seen) return seen;
      if (Date.now() > end) break;
      await delay(LOOK_EVERY_MS);
    }
    const awaited = typeof subject === 'string' ? subject : subject();
    mkdirSync(ARTIFACTS, { recursive: true });
    const picture = join(ARTIFACTS, `${this.engine}-${Date.now()}.png`);
    // A driver may not answer any more.
    const bytes = await Promise.race([this.tab.screenshot(), delay(PICTURE_MS, null, { ref: false })]);
    if (bytes) writeFileSync(picture, bytes);
    throw new Error(
      `Waited too long for ${awaited} (${picture})\n${await this.path()}\n${(await this.text()).slice(0, 2_000)}`,
    );
  }

  private look(role: string, name: string | RegExp, index: number): Promise<Spot | null> {
    const pattern = typeof name === 'string' ? new RegExp(`^${escaped(name)}$`) : name;
    return this.see(look, ROLES[role] ?? role, pattern.source, pattern.flags, index);
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
