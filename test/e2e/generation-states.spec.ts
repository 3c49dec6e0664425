import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Page } from 'playwright-core';
import { type GalleryItem } from '../../src/contract/gallery.js';
import { type GenerationView, type PaginatedGeneration } from '../../src/contract/generation.js';
import { rpc } from '../support/api-client.js';
import { accessibilityFaults } from '../support/axe.js';
import { FanBrowser, refusal, type Answer, type Answers } from '../support/fan-browser.js';
import { until } from '../support/until.js';

jest.setTimeout(180_000);

const ID = '01a00000-0000-7000-8000-000000000001';
const PATH = `/junoabara/generate/${ID}`;
const REFUNDED = 'Credits were automatically refunded for this generation';

const promptBox = (page: Page) => page.getByRole('textbox', { name: /^Describe an image in/ });
const generateButton = (page: Page) => page.getByRole('button', { name: /^Generate/ });
const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const ok = (body: unknown): Answer => ({ body });

interface Options {
  readonly width?: number;
  readonly visitor?: boolean;
  readonly hurry?: readonly number[];
}
/** The pauses before a failed request is sent again and between two requests for the status, in ms. */
const hurry = [1000, 2000, 5000];

describe('generation pages', () => {
  let fan: FanBrowser;
  let gallery: GalleryItem[];
  let calm: Answers;

  beforeAll(async () => {
    fan = await FanBrowser.start();
    const { body } = await rpc<GalleryItem[]>(fan.app.url, 'get_gallery_generations_public', {
      p_creator_id: fan.creator.id,
    });
    gallery = body;
    // Responses to the requests of every page, so that many pages in a minute stay below the rate limits.
    calm = {
      events: refusal(503, 'No stream here.'),
      get_public_creator_by_username: ok(fan.creator),
      get_gallery_generations_public: ok(gallery),
      get_user_credit_breakdown: ok({
        success: true,
        daily_credits: 10,
        bonus_credits: 30,
        paid_credits: 0,
        total_balance: 40,
        free_credits: 40,
        daily_credits_last_granted: null,
        debt: 0,
        lifetime_earned: 40,
        lifetime_spent: 0,
      }),
      grant_daily_credits_by_jwt: ok({ success: true, error_code: 'ALREADY_GRANTED_TODAY', error: null }),
      has_active_pending_generation_jwt: ok(false),
    };
  });
  afterAll(() => fan?.stop());
  afterEach(() => fan.tidy());

  function row(more: Partial<GenerationView> = {}): GenerationView {
    const now = new Date().toISOString();
    return {
      id: ID,
      prediction_id: 'p1',
      status: 'pending',
      prompt: 'a harbour of glass',
      image_url: null,
      image: null,
      creator_id: fan.creator.id,
      creator_username: 'junoabara',
      creator_name: fan.creator.name,
      creator_is_visible: true,
      creator_status: 'active',
      created_at: now,
      updated_at: now,
      error_message: null,
      refunded: false,
      credits_closed: false,
      refund_reason: null,
      refunded_at: null,
      credit_cost: 10,
      is_owner: true,
      hidden: false,
      cancelled: false,
      cancellable_at: null,
      phase: null,
      drawing_at: null,
      finishing_at: null,
      completed_at: null,
      ...more,
    };
  }
  const drawing = (more: Partial<GenerationView> = {}) => {
    const since = new Date(Date.now() - 5_000).toISOString();
    return row({ phase: 'drawing', created_at: since, drawing_at: since, cancellable_at: since, ...more });
  };
  const failed = (message: string, more: Partial<GenerationView> = {}) =>
    row({
      status: 'failed',
      error_message: message,
      refund_reason: 'generation_failed',
      refunded: true,
      credits_closed: true,
      ...more,
    });
  const completed = (more: Partial<GenerationView> = {}) => {
    const { image, image_url } = gallery[0]!;
    return row({
      status: 'completed',
      image,
      image_url,
      completed_at: new Date().toISOString(),
      credits_closed: true,
      ...more,
    });
  };

  const open = (path: string, answers: Answers = {}, options: Options = {}) =>
    fan.open(path, { width: 390, ...options, answers: { ...calm, ...answers } });
  const shown = (view: GenerationView, answers: Answers = {}) =>
    open(PATH, { get_generation_by_id: ok(view), ...answers });

  it('[F2.47, F4.01] shows a spinner, the status and a cancel button while generating', async () => {
    const page = await shown(drawing());
    await text(page, 'Generating: drawing');
    expect(await page.locator('main svg.lucide-loader-circle').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Cancel Generation' }).waitFor();
    await page.getByRole('button', { name: 'Image Generating...' }).waitFor();
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
  });

  it('[F4.01] treats an unknown status as in progress', async () => {
    const page = await shown(row({ status: 'starting' as 'pending' }));
    await text(page, 'Generating: queued');
  });

  it('[F2.54, F4.23] shows connection trouble while generating, and recovers from it', async () => {
    let answer: Answer = ok(drawing());
    const page = await open(PATH, { get_generation_by_id: () => answer }, { hurry });
    await text(page, 'Generating: drawing');
    answer = 'lost';
    await text(page, 'Connection issues, retrying...');
    await page.getByRole('status').getByText('Connection issues, retrying...').waitFor({ state: 'attached' });
    expect(await accessibilityFaults(page)).toEqual([]);
    answer = ok(completed());
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await page.getByRole('button', { name: 'Download' }).waitFor();
  });

  it('[F8.20, F4.24] shows a connection error after three attempts, and retries', async () => {
    let answer: Answer = 'lost';
    let answered = 0;
    let goOn = (): void => undefined;
    const retried = new Promise<void>((resolve) => (goOn = resolve));
    const page = await open(
      PATH,
      {
        get_generation_by_id: async () => {
          // The fourth has no part in what is said.
          if (answered === 3) await retried;
          answered += 1;
          return answer;
        },
      },
      { hurry },
    );
    await text(page, 'Error connecting to server');
    expect(answered).toBe(3);
    await text(page, 'Connection error. Please wait or try again later.');
    expect(await accessibilityFaults(page)).toEqual([]);
    answer = ok(completed());
    await page.getByRole('button', { name: 'Retry' }).click();
    goOn();
    await page.getByRole('button', { name: 'Download' }).waitFor();
  });

  it('[F2.48, F2.50, F8.20] shows a failure, its reason and the refund', async () => {
    const page = await shown(failed('Prediction interrupted'));
    await text(page, 'Failed to generate image. Please try again.');
    await text(page, 'Prediction interrupted');
    await text(page, REFUNDED);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await promptBox(page).inputValue()).toBe('a harbour of glass');
  });

  it('[F2.50, F8.19] shows a timeout and the refund', async () => {
    const page = await shown(failed('Generation timed out and refunded immediately', { refund_reason: 'timeout' }));
    await text(page, 'Generation timed out');
    await text(page, 'Generation took too long and has timed out.');
    await text(page, REFUNDED);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[F4.03, F8.19] shows a cancelled generation as cancelled', async () => {
    const page = await shown(failed('Cancelled by user', { refund_reason: 'user_cancelled', cancelled: true }));
    await text(page, 'Generation was canceled by user');
    await text(page, REFUNDED);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[F4.29] shows a pending refund, then the refund and the new balance', async () => {
    let view = failed('Prediction interrupted', { refunded: false, credits_closed: false });
    const page = await open(PATH, { get_generation_by_id: () => ok(view) }, { hurry });
    await text(page, 'Any credits that were used come back automatically.');
    await page.getByRole('button', { name: '40 credits' }).waitFor();
    const askedAgain = page.waitForRequest('**/get_user_credit_breakdown');
    view = failed('Prediction interrupted');
    await text(page, REFUNDED);
    await askedAgain;
  });

  it('[F4.08] shows a failure when the finished generation has no picture', async () => {
    const page = await shown(completed({ image: null, image_url: null }));
    await text(page, 'Generation succeeded but returned invalid output format');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[F2.46] shows a banner, no prompt box and no gallery when the creator is archived', async () => {
    const page = await open(PATH, {
      get_generation_by_id: ok(completed({ creator_is_visible: false })),
      get_public_creator_by_username: ok({ ...fan.creator, is_visible: false, can_generate: false }),
    });
    await text(
      page,
      'Creator Archived. This creator is no longer active. Only viewing this specific content is available.',
    );
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await promptBox(page).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'FAN ART GALLERY' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Remix' }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[F2.45, F2.51] shows prompt, date and time, and links to the creator', async () => {
    const page = await shown(completed({ created_at: '2026-11-20T21:04:00Z' }));
    await page.getByRole('heading', { level: 1, name: 'a harbour of glass' }).waitFor();
    const time = page.locator('main time').first();
    expect(await time.getAttribute('datetime')).toBe('2026-11-20T21:04:00Z');
    expect(await time.textContent()).toMatch(/^\d+ November 2026 at \d\d:04$/);
    expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    await page
      .getByRole('link', { name: new RegExp(fan.creator.name) })
      .first()
      .click();
    await page.waitForURL('**/junoabara');
  });

  it.each([
    ['nothing of that id', 404, 'Generation not found or access denied', 'Could not find the requested generation'],
    ['a session that has ended', 401, 'Authentication required', 'Authentication error. Please try again.'],
    [
      'no permission',
      403,
      'permission denied',
      'Authentication required to access generation details. Please sign in and try again.',
    ],
  ])('[F8.19, F8.21, F8.25] shows the refusal for %s', async (_, status, message, words) => {
    const page = await open(PATH, { get_generation_by_id: refusal(status, message) });
    await page.getByRole('heading', { level: 1, name: words }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[F5.14] rejects a generation of another creator than in the address', async () => {
    const page = await shown(completed({ creator_username: 'rafaquill' }));
    await page.getByRole('heading', { level: 1, name: 'Generation not found for this creator' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const unknown = await shown(completed({ creator_username: 'unknown', creator_is_visible: false }));
    await unknown.getByRole('button', { name: 'Download' }).waitFor();
  });

  describe('cancelling', () => {
    const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel Generation' });
    const cancelled = {
      success: true,
      message: 'Generation cancelled and credits refunded',
      status: 'canceled',
      generation_id: ID,
      prediction_id: 'p1',
      credit_refunded: 10,
      refund_details: { new_balances: {}, original_credit_type: 'bonus', refund_amount: 10 },
    };

    it('[F4.11] waits three seconds, and shows how many are left', async () => {
      const soon = new Date(Date.now() + 60_000).toISOString();
      const page = await shown(drawing({ cancellable_at: soon }));
      // A click would wait until the button is enabled, and a forced click is lost before the first paint.
      await cancel(page).dispatchEvent('click');
      await text(page, /Please wait \d+ more seconds before cancelling/);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('[F4.14] shows the cancellation also when the next status request fails', async () => {
      let answer: Answer = ok(drawing());
      const page = await open(PATH, {
        get_generation_by_id: () => answer,
        cancel_generation_by_jwt: () => {
          answer = 'lost';
          return ok(cancelled);
        },
      });
      await cancel(page).click();
      await text(page, 'Generation was canceled by user');
      await text(page, REFUNDED);
    });

    it.each([
      [404, 'Generation not found or access denied', 'Unable to cancel: generation record not found'],
      [401, 'Authentication required to cancel generation', 'Authentication error. Please try again.'],
      [500, 'Something went wrong', 'Failed to cancel generation. Please try again.'],
      [409, 'Generation was already canceled', 'Generation was already canceled'],
    ])('[F8.21, F4.13] shows the refusal %i: %s', async (status, message, words) => {
      const page = await shown(drawing(), { cancel_generation_by_jwt: refusal(status, message) });
      await cancel(page).click();
      await page.getByRole('alert').getByText(words).waitFor();
      await text(page, 'Generating: drawing');
    });
  });

  describe('prompt form', () => {
    const entry = '/junoabara/generate';

    async function submit(page: Page, prompt = 'a harbour'): Promise<void> {
      await promptBox(page).fill(prompt);
      await generateButton(page).click();
    }

    it('[F2.04, F2.38, F2.48] waits for a prompt, between 50 and 200 px high', async () => {
      const page = await open(entry);
      await text(page, 'Ready to generate your image');
      const height = async () => Math.round((await promptBox(page).boundingBox())?.height ?? 0);
      expect(await height()).toBe(50);
      await promptBox(page).fill('line\n'.repeat(30));
      expect(await height()).toBe(200);
      expect(await accessibilityFaults(page, { light: true })).toEqual([]);
    });

    it('[F2.39, F4.26] shows that the generation starts', async () => {
      const page = await open(entry, { start_generation_by_jwt: 'never' });
      await submit(page);
      await page.getByRole('button', { name: 'Generating...' }).waitFor();
      await text(page, 'Starting generation... This may take up to 30 seconds.');
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('[F2.40, F4.05] disables the form while another image is generated', async () => {
      const page = await open(entry, { has_active_pending_generation_jwt: ok(true) });
      await page.getByRole('button', { name: 'Image Generating...' }).waitFor();
      expect(await promptBox(page).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Random prompt' }).isDisabled()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('[F4.05] enables the form when the status of other generations is unknown', async () => {
      let asked = 0;
      const page = await open(
        entry,
        {
          has_active_pending_generation_jwt: () => ((asked += 1), refusal(500, 'Something went wrong')),
        },
        { hurry },
      );
      // Once, and twice more.
      await until(() => asked === 3, 'the last question', 30_000);
      await page.waitForLoadState('networkidle');
      expect(await promptBox(page).isEnabled()).toBe(true);
    });

    it('[F2.41] offers a random prompt', async () => {
      const page = await open(entry);
      await page.getByRole('button', { name: 'Random prompt' }).click();
      expect((await promptBox(page).inputValue()).length).toBeGreaterThan(10);
    });

    it('[F2.42] minimises the prompt box on a phone', async () => {
      const page = await open(entry);
      await page.getByRole('button', { name: 'Minimise the prompt box' }).click();
      expect(await promptBox(page).isVisible()).toBe(false);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create' }).click();
      expect(await promptBox(page).isVisible()).toBe(true);
      const wide = await open(entry, {}, { width: 1280 });
      await promptBox(wide).waitFor();
      expect(await wide.getByRole('button', { name: 'Minimise the prompt box' }).isVisible()).toBe(false);
    });

    it('[F5.02, F5.03] fills in the sanitised prompt, and rejects one that is empty after it', async () => {
      const page = await open(entry, { start_generation_by_jwt: 'never' });
      await submit(page, '<b></b>');
      await page
        .getByRole('alert')
        .getByText(
          'Invalid Prompt - Your prompt was removed due to security reasons. Please enter a valid prompt that complies with our guidelines.',
        )
        .waitFor();
      await submit(page, 'a <b>harbour</b>   of glass');
      expect(await promptBox(page).inputValue()).toBe('a harbour of glass');
    });

    it.each([
      [
        'Insufficient credits: Please purchase more credits to continue.',
        402,
        'You need more credits to generate this image.',
      ],
      [
        'Credit deduction failed',
        409,
        "You don't have enough credits for this operation. Please purchase more credits.",
      ],
      [
        'Authentication required to generate images',
        401,
        'Authentication Error - Please sign out and sign back in to refresh your session.',
      ],
      [
        'This prompt violates our content policy.',
        422,
        'This prompt violates our content policy. Please modify your prompt to comply with our content guidelines.',
      ],
      ['Something else', 500, 'Error starting image generation. Please try again.'],
    ])(
      '[F8.14, F8.15, F8.16, F8.17, F8.18] keeps the prompt when the start is refused: %s',
      async (message, status, words) => {
        const page = await open(entry, { start_generation_by_jwt: refusal(status, message) });
        await submit(page);
        const alert = page.getByRole('alert');
        await alert.getByText(words, { exact: true }).waitFor();
        if (message.includes('policy')) await alert.getByText('Content Moderation Alert').waitFor();
        if (message.startsWith('Insufficient')) {
          expect(await page.getByRole('link', { name: 'Purchase Credits' }).last().getAttribute('href')).toBe(
            '/purchase-credits',
          );
        }
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.reload();
        expect(await promptBox(page).inputValue()).toBe('a harbour');
      },
    );

    it('[F2.43, F6.01] sends a visitor to sign up, with the prompt', async () => {
      const page = await open('/junoabara', {}, { visitor: true });
      await submit(page);
      await page.waitForURL('**/sign-up**');
      expect(await page.evaluate(() => (history.state as { usr: object }).usr)).toEqual({
        returnTo: '/junoabara',
        prompt: 'a harbour',
        previousState: { prompt: 'a harbour', creatorId: fan.creator.id, deploymentName: null },
      });
    });
  });

  describe('gallery', () => {
    const answers = (answer: Answer): Answers => ({ get_gallery_generations_public: answer });
    const visit = (answer: Answer) => open('/junoabara', answers(answer), { visitor: true });

    it('[F2.34] shows a spinner while the gallery loads', async () => {
      const page = await visit('never');
      await page.getByText('Loading gallery').waitFor({ state: 'attached' });
      expect(await page.locator('main svg.lucide-loader-circle').count()).toBe(1);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('[F2.34, F8.04] shows why the gallery could not be loaded, and offers a retry', async () => {
      const page = await visit(refusal(404, 'Rate limit exceeded. Please try again in 30 seconds.'));
      await text(page, 'The gallery could not be loaded');
      await text(page, 'Rate limit exceeded. Please try again in 30 seconds.');
      await page.getByRole('button', { name: 'Retry' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('[F2.35, F2.53] shows on both pages that the gallery is empty', async () => {
      const page = await visit(ok([]));
      await text(page, 'No gallery items yet. Check back later!');
      expect(await accessibilityFaults(page)).toEqual([]);
      const below = await shown(completed(), answers(ok([])));
      await text(below, 'No gallery items yet. Check back later!');
    });

    it('[F2.36] shows a picture that cannot be loaded with its prompt', async () => {
      const lost = { url: '/media/lost/1024.webp', width: 1024, height: 1024, thumbhash: '', sources: [] };
      const page = await visit(ok([{ ...gallery[0], prompt: 'a lost harbour', image: lost }]));
      await text(page, 'Failed image generation');
      await page.getByText('a lost harbour').last().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it.each([
      [390, 2],
      [900, 3],
      [1280, 4],
      [340, 1],
    ])('[F2.34] fills the width of %i px with %i columns', async (width, columns) => {
      const page = await open('/junoabara', {}, { visitor: true, width });
      const grid = page.getByRole('heading', { name: 'GALLERY' }).locator('..').locator('ul');
      expect(await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)).toBe(columns);
    });
  });

  describe('my creations', () => {
    const list = (views: readonly GenerationView[], total = views.length): Answer =>
      ok(views.map((generation): PaginatedGeneration => ({ generation, total_count: total })));
    const visit = (answer: Answer | (() => Answer), more: Answers = {}) =>
      open('/my-creations', { get_user_generations_by_jwt_paginated: answer, ...more });
    const some = () => [
      row({ id: `${ID.slice(0, -1)}2`, prompt: 'pending one' }),
      failed('Prediction interrupted', { id: `${ID.slice(0, -1)}3`, prompt: 'failed one' }),
      completed({ prompt: 'finished one' }),
    ];

    it('[F2.55, F2.56, F2.57, F9.07] shows what is pending, failed, refunded and finished', async () => {
      let total = 25;
      const page = await visit(() => list(some(), total));
      await page.getByRole('heading', { level: 1, name: 'My Creations' }).waitFor();
      await page
        .getByRole('link', { name: /pending one/ })
        .getByText('Generating...')
        .waitFor();
      const bad = page.getByRole('link', { name: /failed one/ });
      await bad.getByText('Generation Unsuccessful').waitFor();
      await bad.getByText('Credits Refunded').waitFor();
      await page
        .getByRole('link', { name: /finished one/ })
        .getByRole('img')
        .waitFor();
      // On 3 pages are 25, and on 2 are 24, only where a page has 12.
      const pages = page.getByRole('navigation', { name: /page/i });
      await pages.getByText(/of 3$/).waitFor();
      expect(await accessibilityFaults(page, { light: true })).toEqual([]);
      total = 24;
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.reload();
      await pages.getByText(/of 2$/).waitFor();
      const grid = page.getByRole('region', { name: 'My Creations' }).locator('ul').first();
      expect(await grid.evaluate((ul) => getComputedStyle(ul).gridTemplateColumns.split(' ').length)).toBe(4);
      const card = page.getByRole('link', { name: /finished one/ });
      const veil = card.getByText('finished one').locator('..');
      expect(await veil.evaluate((element) => getComputedStyle(element).opacity)).toBe('0');
      await card.hover();
      const shown = (element: SVGElement | HTMLElement | null) => getComputedStyle(element!).opacity === '1';
      await page.waitForFunction(shown, await veil.elementHandle());
    });

    it('[F2.59] links to the page of a creation, which links back', async () => {
      const page = await visit(list(some()), { get_generation_by_id: ok(completed({ prompt: 'finished one' })) });
      await page.getByRole('link', { name: /finished one/ }).click();
      await page.waitForURL(`**${PATH}`);
      await page.getByRole('link', { name: 'Back' }).click();
      await page.waitForURL('**/my-creations');
    });

    it('[F2.60] requests the list every 5 seconds while a creation is pending, and not after', async () => {
      let asked = 0;
      const creations = () => {
        asked += 1;
        return list(asked < 3 ? [row()] : [completed({ prompt: 'finished one' })]);
      };
      // Only an interval of exactly 5 seconds is shortened: with another one the third request would not come.
      const page = await open('/my-creations', { get_user_generations_by_jwt_paginated: creations }, { hurry: [5000] });
      await page.getByRole('link', { name: /finished one/ }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(asked).toBe(3);
    });

    it('[F2.58] links to the start when there are no creations', async () => {
      const page = await visit(list([]));
      await text(page, "You haven't created any art yet!");
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('link', { name: 'Start Creating' }).click();
      await page.waitForURL(`${fan.app.url}/`);
    });

    it('shows a spinner while the creations load, and an error when they cannot be loaded', async () => {
      const loading = await visit('never');
      await loading.getByText('Loading your creations').waitFor({ state: 'attached' });
      expect(await accessibilityFaults(loading)).toEqual([]);
      const page = await visit(refusal(400, 'Something went wrong on our side.'));
      await text(page, 'Your creations could not be loaded');
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('[F8.27] shows an error when a creation cannot be viewed', async () => {
      const page = await visit(list([completed({ creator_username: 'unknown' })]));
      await page.getByRole('link', { name: /harbour/ }).click();
      await page
        .getByRole('alert')
        .getByText('Unable to view this creation. The creator information is missing.')
        .waitFor();

      const broken = await visit(list([completed()]));
      await broken.getByRole('link', { name: /harbour/ }).waitFor();
      await broken.route('**/assets/generation-page*', (route) => route.abort());
      await broken.getByRole('link', { name: /harbour/ }).click();
      await broken.getByRole('alert').getByText('An error occurred while trying to view this creation.').waitFor();
      expect(new URL(broken.url()).pathname).toBe('/my-creations');
    });

    it('[F2.07, F2.08] redirects an address without a creator, with the reason', async () => {
      const found = await open(`/generation/${ID}`, { get_generation_by_id: ok(completed()) });
      await found.waitForURL(`**${PATH}`);
      const page = await open(`/generation/${ID}`, {
        get_generation_by_id: refusal(404, 'Generation not found or access denied'),
        get_user_generations_by_jwt_paginated: list([]),
      });
      await page.waitForURL('**/my-creations');
      await page.getByRole('alert').getByText('Could not find creator information for this generation').waitFor();
      const lost = await open(`/generation/${ID}`, { get_generation_by_id: refusal(400 + 3, 'permission denied') });
      await lost.getByRole('link', { name: 'Go to My Creations' }).waitFor();
      expect(await accessibilityFaults(lost)).toEqual([]);
    });
  });
});
