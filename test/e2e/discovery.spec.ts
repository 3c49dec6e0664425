import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Locator, type Page } from 'playwright-core';
import { type GalleryItem, type PublicCreator } from '../../src/contract/gallery.js';
import { rpc } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser, refusal } from '../support/fan-browser.js';
import { focusOn } from '../support/focus.js';

jest.setTimeout(120_000);

const HEADLINE = 'Create Official Fan Art with AI';
const PHONE = { width: 390, height: 844 };
const STATIC_PAGES = [
  ['/faq', 'FAQ'],
  ['/community-guidelines', 'Community Guidelines'],
  ['/termsofuse', 'Terms of Use'],
  ['/privacypolicy', 'Privacy Policy'],
] as const;

describe('finding a creator, and the frame of every page', () => {
  let fan: FanBrowser;
  /** Eight visible creators, not sorted by the server, and a hidden one. */
  let creators: PublicCreator[];

  beforeAll(async () => {
    fan = await FanBrowser.start();
    const names = ['Ada', 'Bea', 'Cleo', 'Dora', 'Ella', 'Fay', 'Gina', 'Hana', 'Archie'];
    creators = names.map((name) => ({
      ...fan.creator,
      id: `creator-${name}`,
      name: `${name} Marlow`,
      username: name.toLowerCase(),
      is_visible: name !== 'Archie',
      works: [],
    }));
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  /** Opens a page as a visitor; the API returns these creators only. */
  const visit = (path: string, width = 1280): Promise<Page> =>
    fan.open(path, { visitor: true, width, answers: { get_public_creators: () => ({ body: creators }) } });

  const headline = (page: Page) => page.getByRole('heading', { level: 1, name: HEADLINE });
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const carousel = (page: Page) => page.getByRole('group', { name: 'Featured creators' });
  const search = (page: Page) => page.getByRole('combobox', { name: 'Search creators' });
  const suggestions = (page: Page) => page.getByRole('option');
  const path = (page: Page): string => new URL(page.url()).pathname;
  const menuButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Menu' });
  const pill = (page: Page) => page.getByRole('button', { name: /^\d+ credits$/ });

  /** Presses Tab until the target has the focus. */
  async function tabTo(page: Page, target: Locator, limit = 40): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < limit; presses += 1) {
      await page.keyboard.press('Tab');
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`Not reached with ${limit} presses of Tab: ${String(target)}`);
  }

  describe('discovery by visitors', () => {
    it('[F1.01, F2.01, F6.01] shows featured creators, finds one, and shows their gallery without signing in', async () => {
      const page = await fan.open('/', { visitor: true });
      await headline(page).waitFor();
      await page.getByText('Choose a creator below to get started').waitFor();
      await page.getByRole('link', { name: /Juno Abara/ }).waitFor();
      await search(page).fill('juno');
      await suggestions(page).first().click();
      await page.waitForURL('**/junoabara');
      await page.getByRole('heading', { name: 'GALLERY' }).waitFor();
      await page.locator('main picture img').nth(1).waitFor();
    });

    it('[F2.02] shows the creator’s photo, name, seal, bio, links, gallery and the prompt bar', async () => {
      const handles = { instagram: '@juno', twitter: 'juno', onlyfans: 'junoabara' };
      const creator = { ...fan.creator, ...handles, bio: 'Harbours at night.' };
      const page = await fan.open('/junoabara', {
        visitor: true,
        answers: { get_public_creator_by_username: { body: creator } },
      });
      const name = title(page, 'Juno Abara');
      await name.getByRole('img', { name: 'Verified creator' }).waitFor();
      await page.getByText('Harbours at night.').waitFor();
      await page.getByText('@junoabara').last().waitFor();
      expect(await page.locator('main header picture img').evaluate((image: HTMLImageElement) => image.alt)).toContain(
        'Juno Abara',
      );
      for (const [site, href] of [
        ['Instagram', 'https://www.instagram.com/juno'],
        ['Twitter', 'https://x.com/juno'],
        ['OnlyFans', 'https://onlyfans.com/junoabara'],
      ] as const) {
        expect(await page.getByRole('link', { name: site }).getAttribute('href')).toBe(href);
      }
      await page.getByRole('heading', { name: 'GALLERY' }).waitFor();
      await page.getByRole('textbox', { name: /^Describe an image in/ }).waitFor();
      const bar = page.getByRole('button', { name: /^Generate/ });
      // The web font changes the layout of the page.
      await page.waitForFunction(() => document.fonts.status === 'loaded');
      const before = await bar.boundingBox();
      await page.mouse.wheel(0, 600);
      await page.waitForFunction(() => window.scrollY > 0);
      expect((await bar.boundingBox())?.y).toBe(before?.y);
    });

    it('shows its skip links as buttons with room around the words', async () => {
      const page = await visit('/junoabara');
      for (const name of ['Skip to content', 'Skip to the prompt']) {
        const link = page.getByRole('link', { name });
        await link.focus();
        expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(36);
        expect(await link.evaluate((element) => parseFloat(getComputedStyle(element).paddingLeft))).toBe(16);
      }
    });

    it('[F2.03] reports an unknown creator, and links back to the home page', async () => {
      const page = await fan.open('/nobody-of-this-name', { visitor: true });
      await title(page, 'Creator not found').waitFor();
      await page.getByRole('link', { name: 'Back to Discovery' }).click();
      await headline(page).waitFor();
      expect(path(page)).toBe('/');
    });
  });

  describe('the carousel', () => {
    /** The announced position, which changes a moment after the row. */
    const position = (page: Page) => page.locator('p[aria-live]');
    const next = (page: Page) => page.getByRole('button', { name: 'Next creator' });

    /** Finds the card nearest to the middle of the row. */
    const centred = (page: Page): Promise<{ name: string; off: number; inert: boolean }> =>
      carousel(page).evaluate((row) => {
        const middle = row.getBoundingClientRect().left + row.clientWidth / 2;
        const found = [...row.querySelectorAll<HTMLElement>('[data-card]')]
          .map((card) => {
            const box = card.getBoundingClientRect();
            return { card, off: Math.abs(box.left + box.width / 2 - middle) };
          })
          .sort((a, b) => a.off - b.off)[0];
        if (!found) throw new Error('There is no card.');
        return { name: found.card.innerText, off: found.off, inert: found.card.inert };
      });

    /** Waits until the row has stopped at this creator, in the copy that is not inert. */
    async function restsOn(page: Page, name: string): Promise<void> {
      await page.waitForFunction((wanted) => {
        const row = document.querySelector('[aria-roledescription=carousel]');
        const middle = row ? row.getBoundingClientRect().left + row.clientWidth / 2 : 0;
        return [...(row?.querySelectorAll<HTMLElement>('[data-card]:not([inert])') ?? [])].some((card) => {
          const box = card.getBoundingClientRect();
          return card.innerText.includes(wanted) && Math.abs(box.left + box.width / 2 - middle) < 2;
        });
      }, name);
    }

    it('[F2.30] renders the list three times, with one creator in the centre and inert copies', async () => {
      const page = await visit('/');
      await restsOn(page, 'Ada Marlow');
      expect(await page.locator('[data-card]').count()).toBe(24);
      expect(await page.locator('[data-card][inert]').count()).toBe(16);
      expect(await page.getByRole('group', { name: '1 of 8' }).count()).toBe(1);
      expect(await carousel(page).getByRole('link').count()).toBe(8);
      expect((await centred(page)).off).toBeLessThan(2);
    });

    it('[F2.30, F2.31] moves one creator per press of an arrow, and never reaches an end', async () => {
      const page = await visit('/');
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await restsOn(page, 'Ada Marlow');
      await next(page).click();
      await restsOn(page, 'Bea Marlow');
      await position(page)
        .filter({ hasText: /2 of 8$/ })
        .waitFor();
      // The presses are faster than the animation and go beyond the three copies of the list.
      for (let presses = 0; presses < 20; presses += 1) await next(page).click();
      await restsOn(page, 'Fay Marlow');
      await page.getByRole('button', { name: 'Previous creator' }).click();
      await restsOn(page, 'Ella Marlow');
      await position(page)
        .filter({ hasText: /5 of 8$/ })
        .waitFor();
    });

    it('works with the keyboard only, and announces the creator in the centre', async () => {
      const page = await visit('/');
      await restsOn(page, 'Ada Marlow');
      await tabTo(page, next(page));
      await page.keyboard.press('Enter');
      await restsOn(page, 'Bea Marlow');
      await position(page)
        .filter({ hasText: /^Bea Marlow, 2 of 8$/ })
        .waitFor();
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      expect(await focused.innerText()).toContain('Ada Marlow');
      await page.keyboard.press('Tab');
      await restsOn(page, 'Bea Marlow');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/bea');
    });

    it('[F2.30] moves when dragged without opening a creator; a click on a copy opens its creator', async () => {
      const page = await visit('/');
      await restsOn(page, 'Ada Marlow');
      const box = await carousel(page).boundingBox();
      if (!box) throw new Error('The carousel is not there.');
      const y = box.y + 200;
      await page.mouse.move(box.x + 700, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 400, y, { steps: 4 });
      await page.mouse.up();
      await restsOn(page, 'Bea Marlow');
      expect(path(page)).toBe('/');

      await page.getByRole('button', { name: 'Previous creator' }).click();
      await restsOn(page, 'Ada Marlow');
      // Left of the first creator is a copy of the last one.
      await page.mouse.click(box.x + 60, y);
      await page.waitForURL('**/hana');
    });

    it('[F2.29, F9.09] becomes a plain list below 640 px', async () => {
      const page = await visit('/', 639);
      await page.getByRole('link', { name: /Hana Marlow/ }).waitFor();
      expect(await carousel(page).count()).toBe(0);
      const boxes = await page.getByRole('listitem').filter({ hasText: 'Marlow' }).all();
      expect(boxes).toHaveLength(8);
      const lefts = new Set(await Promise.all(boxes.map(async (item) => (await item.boundingBox())?.x)));
      expect(lefts.size).toBe(1);
      await page.setViewportSize({ width: 640, height: 900 });
      await carousel(page).waitFor();
    });
  });

  describe('the search', () => {
    it('[F2.25, F2.26, F2.27] suggests five at most, by name or username, and is used by keyboard alone', async () => {
      const page = await visit('/faq');
      await tabTo(page, search(page));
      expect(await search(page).getAttribute('placeholder')).toBe('Search creators');
      await page.keyboard.type('MARLOW');
      await suggestions(page).nth(4).waitFor();
      expect(await suggestions(page).count()).toBe(5);
      expect(await suggestions(page).first().innerText()).toMatch(/Ada Marlow\s+@ada/);
      expect(await suggestions(page).first().locator('img').count()).toBe(1);
      expect(await search(page).getAttribute('aria-expanded')).toBe('true');
      expect(await search(page).getAttribute('aria-activedescendant')).toBeNull();

      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      const active = page.getByRole('option', { selected: true });
      expect(await active.innerText()).toContain('Ella');
      expect(await search(page).getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));

      await page.keyboard.press('Escape');
      expect(await suggestions(page).count()).toBe(0);
      expect(await search(page).inputValue()).toBe('MARLOW');
      await page.keyboard.press('ArrowDown');
      await suggestions(page).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/(ada|ella)$/);
    });

    it('finds a public picture by its prompt, and opens it by keyboard', async () => {
      const page = await fan.open('/faq', { visitor: true });
      const { body } = await rpc<GalleryItem[]>(fan.app.url, 'get_gallery_generations_public', {
        p_creator_id: fan.creator.id,
      });
      const word = /[a-z]{5,}/i.exec(body[0]?.prompt ?? '')?.[0] ?? '';
      await search(page).fill(word);
      const last = page.getByRole('group', { name: 'Pictures' }).getByRole('option').last();
      await last.filter({ hasText: new RegExp(word, 'i') }).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/generate\//);
    });

    it('says that it could not be loaded, and loads again when a person types on', async () => {
      const page = await visit('/');
      await page.route('**/assets/search-panel-*.js', (route) => route.abort());
      await search(page).fill('marl');
      await page.getByRole('search').getByRole('alert').getByText('The search could not be loaded.').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.unroute('**/assets/search-panel-*.js');
      await search(page).fill('marlow');
      await suggestions(page).first().waitFor();
      expect(await page.getByRole('search').getByRole('alert').count()).toBe(0);
    });

    it('[F2.17] opens with a button on a phone, and restores the focus', async () => {
      const page = await visit('/', 390);
      await page.getByRole('link', { name: 'Fanvas, home' }).waitFor();
      const button = page.getByRole('banner').getByRole('button', { name: 'Search creators' });
      await button.waitFor();
      expect(await search(page).count()).toBe(0);
      await button.click();
      await focusOn(search(page));
      await page.keyboard.type('hana');
      await suggestions(page).first().waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await search(page).waitFor({ state: 'detached' });
      await focusOn(button);
    });
  });

  describe('guards', () => {
    it.each([
      ['/credits', 'Sign in to view your credits'],
      ['/junoabara/generate', null],
    ])('[F2.11, F2.13, F2.61] redirects a visitor from %s to sign in, and stores the way back', async (from, words) => {
      const page = await fan.open(from, { visitor: true });
      await page.waitForURL('**/sign-in');
      if (words) await page.getByText(words).waitFor();
      const state: unknown = await page.evaluate(() => (history.state as { usr: unknown }).usr);
      expect(state).toEqual({ returnTo: from, previousState: null });
    });

    it('shows the sign-in form when the identity SDK is ready before the page listens to it', async () => {
      const page = await fan.open('/faq', { visitor: true });
      await page.addInitScript(holdWorkUntilSdkIsReady);
      // The page renders the container of the widget before it loads the widget's code.
      await page.route('**/assets/clerk-host-*.js', async (route) => {
        await page.locator('[data-auth-widget]').waitFor({ state: 'attached' });
        await route.continue();
      });
      await page.goto(`${fan.app.url}/sign-in`);
      await page.locator('input[name=identifier]').waitFor();
      expect(await page.evaluate(() => (window as unknown as { heldWork: number }).heldWork)).toBeGreaterThan(0);
    });

    /** Signs in as the creator, because the other tests need the session of the fan. */
    async function signInAsCreator(page: Page): Promise<void> {
      await page.waitForLoadState('networkidle');
      const identifier = page.locator('input[name=identifier]');
      await identifier.waitFor();
      await page.getByRole('button', { name: 'Use creator@fanvas.test' }).click();
      await identifier.press('Enter');
    }

    it('[F2.09, F2.13] returns to the page and its query after the sign-in', async () => {
      const page = await fan.open('/my-creations?page=1', { visitor: true });
      await page.waitForURL('**/sign-in');
      await signInAsCreator(page);
      await page.waitForURL('**/my-creations?page=1');
      await title(page, 'My Creations').waitFor();
    });

    it('follows the redirects of the identity SDK when React rendered its host twice', async () => {
      const page = await fan.open('/faq', { visitor: true });
      await page.addInitScript(interruptFirstDrawingOfSdk);
      await page.goto(`${fan.app.url}/sign-in`);
      await signInAsCreator(page);
      await page.waitForURL(`${fan.app.url}/`);
      await page.goto(`${fan.app.url}/faq`);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign Out' }).click();
      await page.waitForURL(`${fan.app.url}/`);
      await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
      expect(await page.evaluate(() => (window as unknown as { interrupted?: boolean }).interrupted)).toBe(true);
    });

    it.each([
      ['/sign-in', '/'],
      ['/sign-in?redirect_url=%2Fcredits%3Ffrom%3Dmail', '/credits?from=mail'],
      ['/sign-up?redirect_url=%2Ffaq', '/faq'],
      ['/sign-in?redirect_url=%2F%5Cevil.example', '/'],
    ])('[F2.09, F2.10] redirects a signed-in fan from %s to %s', async (from, to) => {
      const page = await fan.open(from);
      await page.waitForURL(fan.app.url + to);
    });
  });

  describe('navigation between pages', () => {
    const scrollTop = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);

    it('[F2.14] starts every page at its top, also after Back', async () => {
      const page = await visit('/', 390);
      await page.getByRole('link', { name: /Hana Marlow/ }).scrollIntoViewIfNeeded();
      expect(await scrollTop(page)).toBeGreaterThan(500);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Use' }).click();
      await title(page, 'Terms of Use').waitFor();
      expect(await scrollTop(page)).toBe(0);
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
      expect(await scrollTop(page)).toBeGreaterThan(500);
      await page.goBack();
      await headline(page).waitFor();
      await page.waitForFunction(() => window.scrollY === 0);
    });

    it('[F2.15] has header, main and footer, and padding above all pages but sign-in, sign-up and generate', async () => {
      const page = await fan.open('/junoabara/generate');
      const padding = () => page.locator('main').evaluate((main) => getComputedStyle(main).paddingTop);
      await page.getByRole('textbox', { name: /^Describe an image in/ }).waitFor();
      expect(await padding()).toBe('0px');
      await page.getByRole('link', { name: 'Fanvas, home' }).click();
      await headline(page).waitFor();
      expect(await padding()).toBe('24px');
      for (const part of ['banner', 'main', 'contentinfo'] as const) expect(await page.getByRole(part).count()).toBe(1);
      const visitor = await fan.open('/sign-up', { visitor: true });
      await visitor.getByRole('heading', { name: 'Sign up' }).waitFor();
      expect(await visitor.locator('main').evaluate((main) => getComputedStyle(main).paddingTop)).toBe('0px');
    });

    it('[F2.16, F4.27] requests the daily credits on a route change, and hides a failure', async () => {
      const page = await fan.open('/', {
        answers: { grant_daily_credits_by_jwt: () => refusal(500, 'Failed to process daily credit grant.') },
      });
      await pill(page).waitFor();
      // Simulates that this browser last requested the credits on another day.
      await page.evaluate(() => {
        for (const key of Object.keys(localStorage))
          if (key.startsWith('fanvas.daily-grant.')) localStorage.setItem(key, '2000-01-01');
      });
      const refused = page.waitForResponse('**/grant_daily_credits_by_jwt');
      await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click();
      await refused;
      await title(page, 'FAQ').waitFor();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
      await title(page, 'Privacy Policy').waitFor();
      expect(await page.getByText('Failed to process').count()).toBe(0);
      await pill(page).waitFor();
    });

    it('[F2.07] redirects from the address of a generation to its page', async () => {
      const { body } = await rpc<GalleryItem[]>(fan.app.url, 'get_gallery_generations_public', {
        p_creator_id: fan.creator.id,
      });
      const id = body[0]?.id;
      const page = await fan.open(`/generation/${id}`);
      await page.waitForURL(`**/junoabara/generate/${id}`);
      await page.getByRole('button', { name: 'Download' }).waitFor();
    });

    it('[F2.08] redirects to My Creations with the reason when the generation does not exist', async () => {
      const page = await fan.open('/generation/0190c1de-0000-7000-8000-000000000000');
      await page.waitForURL('**/my-creations');
      await page.getByText('Could not find creator information for this generation').waitFor();
    });
  });

  describe('header, menus, footer and promo', () => {
    it('[F2.18] shows free and purchased credits, and links to transactions and purchase', async () => {
      const page = await fan.open('/', {
        answers: {
          get_user_credit_breakdown: {
            body: {
              success: true,
              total_balance: 290,
              free_credits: 40,
              paid_credits: 250,
              daily_credits: 10,
              bonus_credits: 30,
            },
          },
        },
      });
      const opener = page.getByRole('button', { name: '290 credits' });
      await tabTo(page, opener);
      await page.keyboard.press('Enter');
      const sheet = page.getByRole('dialog', { name: 'Credits' });
      await focusOn(sheet);
      expect((await sheet.innerText()).split(/\s*\n\s*/)).toEqual([
        'Free Credits',
        '40',
        'Purchased Credits',
        '250',
        'View Transactions',
        'Purchase Credits',
      ]);
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await focusOn(opener);
      await page.keyboard.press('Enter');
      await focusOn(sheet);
      await tabTo(page, sheet.getByRole('link', { name: 'Purchase Credits' }), 4);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/purchase-credits');
    });

    it('[F2.19] has the avatar menu, by keyboard', async () => {
      const page = await fan.open('/');
      await tabTo(page, page.getByRole('button', { name: /^Account of/ }));
      await page.keyboard.press('Enter');
      const items = page.getByRole('menuitem');
      await focusOn(items.filter({ hasText: 'My Creations' }));
      expect(await items.allInnerTexts()).toEqual(['My Creations', 'Credits', 'Account', 'FAQ', 'Sign Out']);
      await page.keyboard.press('End');
      await focusOn(items.filter({ hasText: 'Sign Out' }));
      await page.keyboard.press('ArrowUp');
      await focusOn(items.filter({ hasText: 'FAQ' }));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/faq');
    });

    it('[F2.20] has the same items and Home in the slide-out menu of a phone', async () => {
      const page = await fan.open('/faq', { width: 390 });
      await pill(page).waitFor();
      await menuButton(page).click();
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await menu.getByText('Sign Out').waitFor();
      expect(await menu.getByRole('listitem').allInnerTexts()).toEqual([
        'Home',
        'My Creations',
        'Credits',
        'Account',
        'FAQ',
        'Sign Out',
      ]);
      await focusOn(menu);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await focusOn(menuButton(page));
      await page.keyboard.press('Enter');
      await menu.getByRole('link', { name: 'Home' }).click();
      await headline(page).waitFor();
    });

    it('[F2.12, F2.22] links to the four static pages in the footer, without signing in or accessibility faults', async () => {
      const page = await fan.open('/', { visitor: true, width: PHONE.width });
      const footer = page.getByRole('contentinfo');
      await footer.getByText(/^© \d{4} Fanvas$/).waitFor();
      expect(await footer.getByRole('link').allInnerTexts()).toEqual(STATIC_PAGES.map(([, name]) => name));
      for (const [to, name] of STATIC_PAGES) {
        await footer.getByRole('link', { name }).click();
        await title(page, name).waitFor();
        expect(path(page)).toBe(to);
        expect(await page.title()).toBe(`${name} · Fanvas`);
        if (to === '/faq') await page.locator('summary').first().click();
        await clean(page, to, { light: to === '/faq' });
      }
    });

    it('[F2.23, F2.24] invites visitors to sign up for 30 free credits, until they have dismissed it', async () => {
      const page = await fan.open('/faq', { visitor: true });
      const offer = page.getByRole('region', { name: 'Offer' });
      await offer.getByText('30 free credits').waitFor();
      await offer.getByRole('button', { name: 'Dismiss the offer' }).click();
      expect(await offer.count()).toBe(0);
      expect(await page.evaluate(() => localStorage.getItem('promo-banner-dismissed'))).toBe('true');
      await page.reload();
      await title(page, 'FAQ').waitFor();
      expect(await offer.count()).toBe(0);

      const other = await fan.openAlone('/faq');
      await other.getByRole('region', { name: 'Offer' }).getByRole('link', { name: 'Sign up' }).click();
      await other.waitForURL('**/sign-up');
      expect(await other.evaluate(() => (history.state as { usr: unknown }).usr)).toEqual({
        returnTo: '/faq',
        previousState: null,
      });
      const signedIn = await fan.open('/faq');
      await pill(signedIn).waitFor();
      expect(await signedIn.getByRole('region', { name: 'Offer' }).count()).toBe(0);
    });
  });

  it('opens a section of a static page from its address, and an answer of the FAQ by keyboard', async () => {
    const page = await fan.open('/termsofuse#liability', { visitor: true });
    const section = page.getByRole('heading', { name: 'Liability' });
    await section.waitFor();
    await page.waitForFunction(
      (heading) => window.scrollY > 300 && heading !== null && heading.getBoundingClientRect().top < 300,
      await section.elementHandle(),
    );

    await page.goto(`${fan.app.url}/faq`);
    const question = page.locator('summary', { hasText: 'What does an image cost?' });
    await question.focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^An image costs 10 credits/).waitFor();
  });

  describe('accessibility', () => {
    it('has no faults on the home page and in the search', async () => {
      const page = await visit('/');
      await page.getByRole('link', { name: /Ada Marlow/ }).waitFor();
      await clean(page, 'home', { light: true });
      await search(page).fill('marlow');
      await suggestions(page).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await clean(page, 'search open', { light: true });
      await search(page).fill('nobody');
      await page.getByText('No creator by that name or style.').waitFor();
      await clean(page, 'nobody found');
      await page.setViewportSize(PHONE);
      await page.getByRole('banner').getByRole('button', { name: 'Search creators' }).click();
      await search(page).fill('marlow');
      await suggestions(page).first().waitFor();
      await clean(page, 'home and search on a phone');
    });

    it('has no faults in the menus', async () => {
      const page = await fan.open('/');
      await pill(page).click();
      const sheet = page.getByRole('dialog', { name: 'Credits' });
      await focusOn(sheet);
      await clean(page, 'credits pill open', { light: true });
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByText('Sign Out').waitFor();
      await clean(page, 'menu open', { light: true });
      await page.keyboard.press('Escape');
      await page.getByText('Sign Out').waitFor({ state: 'detached' });
      await page.setViewportSize(PHONE);
      await menuButton(page).click();
      await page.getByRole('dialog', { name: 'Menu' }).getByText('Sign Out').waitFor();
      await clean(page, 'menu open on a phone');
    });

    it('has no faults on the sign-in page', async () => {
      const page = await fan.open('/sign-in', { visitor: true });
      await page.locator('input[name=identifier]').waitFor();
      await clean(page, 'sign-in', { light: true });
    });
  });

  /** Expects no accessibility faults, and a page that is not wider than the window. */
  async function clean(page: Page, screen: string, scope?: { readonly light: boolean }): Promise<void> {
    expect({ screen, faults: await accessibilityFaults(page, scope) }).toEqual({ screen, faults: [] });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect({ screen, wider }).toEqual({ screen, wider: false });
  }
});

/** Runs in the page. Holds React's scheduled work from the request of the identity SDK until the SDK is ready. */
function holdWorkUntilSdkIsReady(): void {
  const sdk = (): { status?: string } | undefined => (window as { Clerk?: { status?: string } }).Clerk;
  const post = MessagePort.prototype.postMessage;
  const held: (() => void)[] = [];
  let holding = false;
  MessagePort.prototype.postMessage = function (this: MessagePort, ...message: [unknown]): void {
    const send = (): void => post.apply(this, message);
    if (holding) held.push(send);
    else send();
  };
  const asked = new MutationObserver(() => {
    if (!document.querySelector('script[src*="clerk.browser.js"]')) return;
    asked.disconnect();
    holding = true;
    const watch = setInterval(() => {
      if (sdk()?.status !== 'ready' || held.length === 0) return;
      clearInterval(watch);
      holding = false;
      Object.assign(window, { heldWork: held.length });
      for (const send of held) send();
    }, 5);
  });
  asked.observe(document, { childList: true, subtree: true });
}

/**
 * Runs in the page. Interrupts the first render of the identity SDK's host: its time slice ends and a more urgent
 * update arrives (here a toast, in production mostly a response), so React discards the render. The SDK object that the
 * render created stays.
 */
function interruptFirstDrawingOfSdk(): void {
  let key: unknown;
  let online = true;
  const connected = (is: boolean): void => {
    online = is;
    window.dispatchEvent(new Event(is ? 'online' : 'offline'));
  };
  Object.defineProperty(navigator, 'onLine', { get: () => online });
  Object.defineProperty(window, '__clerk_publishable_key', {
    get: () => key,
    set: (value: unknown) => {
      const first = key === undefined;
      key = value;
      if (!first) return;
      const end = performance.now() + 50;
      while (performance.now() < end);
      connected(false);
      setTimeout(() => connected(true));
      Object.assign(window, { interrupted: true });
    },
  });
}
