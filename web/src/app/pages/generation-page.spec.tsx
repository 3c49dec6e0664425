import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import type { GenerationView } from '../../../../src/contract/generation.js';
import {
  accessibilityFaults,
  asFan,
  asVisitor,
  CREATOR,
  fakeServer,
  GALLERY_ITEM,
  generation,
  lost,
  messages,
  never,
  pass,
  PICTURE,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  onPage,
  textsOf,
} from '../../../test/page.js';
import { trackCode } from '../../lib/arriving-code.js';
import { doubtSession } from '../../lib/auth.js';
import AccountCluster from '../shell/account-cluster.js';
import Page from './generation-page.js';

const ROW = 'get_generation_by_id';
const CANCEL = 'cancel_generation_by_jwt';
const BALANCE = 'get_user_credit_breakdown';
const REFUNDED = 'Credits were automatically refunded for this generation';

const drawing = (fields: Partial<GenerationView> = {}): GenerationView => {
  const since = new Date(Date.now() - 5_000).toISOString();
  return generation({ phase: 'drawing', created_at: since, drawing_at: since, cancellable_at: since, ...fields });
};
const failed = (message: string, fields: Partial<GenerationView> = {}): GenerationView =>
  generation({
    status: 'failed',
    error_message: message,
    refund_reason: 'generation_failed',
    refunded: true,
    credits_closed: true,
    ...fields,
  });
const completed = (fields: Partial<GenerationView> = {}): GenerationView =>
  generation({ status: 'completed', image: PICTURE, image_url: PICTURE.url, credits_closed: true, ...fields });

const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;
const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });
const text = (words: string | RegExp): HTMLElement[] => screen.getAllByText(words);

describe('page of a generation', () => {
  onPage();

  interface OpenOptions {
    /** Whether the credits pill of the header is there, too. */
    readonly pill?: boolean;
    /** The state of the navigation. */
    readonly state?: unknown;
  }
  /** Opens the page of generation g1 with these answers, if wanted next to the credits pill of the header. */
  const open = async (answers: Answers, { pill = false, state = null }: OpenOptions = {}) => {
    const server = fakeServer({
      get_public_creator_by_username: CREATOR,
      get_gallery_generations_public: [GALLERY_ITEM],
      has_active_pending_generation_jwt: false,
      ...answers,
    });
    const router = await renderPage(
      <>
        {pill && <AccountCluster />}
        <Page />
      </>,
      '/junoabara/generate/g1',
      '/:username/generate/:generationId',
      state,
    );
    // The creator, then the gallery.
    await pass(10);
    return { ...server, router };
  };
  const shown = (row: GenerationView, answers: Answers = {}) => open({ [ROW]: row, ...answers });

  describe('decision of an admin', () => {
    const at = '2026-11-20T22:00:00.000Z';
    const note = 'Shows a private person (Community Guidelines, 2).';

    it('shows the owner why an image was taken down, without its actions', async () => {
      const moderation = { decision: 'taken_down', note, at } as const;
      await shown(completed({ image: null, image_url: null, hidden: true, is_owner: true, moderation }));
      expect(text('This image was taken down')).not.toHaveLength(0);
      expect(text(`Reason: ${note} If you think this is a mistake, write to support.`)).toHaveLength(1);
      for (const name of ['Delete', 'Show again', 'Hide', 'Try again']) {
        expect(screen.queryByRole('button', { name })).toBeNull();
      }
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('shows the owner why an image is hidden, and does not offer to show it', async () => {
      await shown(completed({ hidden: true, is_owner: true, moderation: { decision: 'hidden', note, at } }));
      expect(text(/^An admin has hidden this image\. Only you can see it\. Reason: Shows a private/)).toHaveLength(1);
      expect(screen.queryByRole('button', { name: 'Show again' })).toBeNull();
      expect(button('Delete')).toBeTruthy();
    });
  });

  it('replaces the message of hiding an image when the owner shows it again', async () => {
    const row = completed({ is_owner: true });
    await shown(row, { hide_generation_by_jwt: { success: true, image: row.image } });
    for (const name of ['Hide', 'Hide image', 'Show again']) {
      fireEvent.click(button(name));
      await pass(10);
    }
    expect(messages()).toEqual(['The link works for anyone again.']);
  });

  describe('credits of a finished image', () => {
    const CREDITS = 'get_own_generation_credits_by_jwt';
    const EARNED = 'This image earned Juno Abara 50 cents.';
    const line = (words: string) => (_: string, element: Element | null) =>
      element?.tagName === 'P' && element.textContent === words;

    it('shows its owner that purchased credits were used, and what they earned the creator', async () => {
      const { calls } = await shown(completed(), {
        [CREDITS]: { credits: 10, kind: 'paid', paid_credits: 10, creator_cents: 50 },
      });
      expect(calls.find(({ name }) => name === CREDITS)?.body).toEqual({ p_generation_id: 'g1' });
      expect(text('10 purchased credits used.')).toHaveLength(1);
      expect(screen.getAllByText(line(EARNED))).toHaveLength(1);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('shows free credits, which earn nothing', async () => {
      const { count } = await shown(completed(), {
        [CREDITS]: { credits: 10, kind: 'daily', paid_credits: 0, creator_cents: 0 },
      });
      expect(text('10 daily credits used.')).toHaveLength(1);
      expect(document.body.textContent).not.toContain('This image earned');
      await pass(60_000);
      expect(count(CREDITS)).toBe(1);
    });

    it('asks again, at most five times, until the earning is recorded', async () => {
      const server = await shown(completed(), {
        [CREDITS]: { credits: 10, kind: 'paid', paid_credits: null, creator_cents: null },
      });
      expect(text('10 purchased credits used.')).toHaveLength(1);
      await pass(2_000);
      expect(screen.queryByText(line(EARNED))).toBeNull();
      server.answer({ [CREDITS]: { credits: 10, kind: 'paid', paid_credits: 10, creator_cents: 50 } });
      await pass(2_000);
      await pass(0);
      expect(screen.getAllByText(line(EARNED))).toHaveLength(1);
      expect(server.count(CREDITS)).toBe(3);
      server.answer({ [CREDITS]: { credits: 10, kind: 'paid', paid_credits: null, creator_cents: null } });
      await pass(60_000);
      expect(server.count(CREDITS)).toBe(3);
    });

    it('stops after five answers without an earning', async () => {
      const { count } = await shown(completed(), {
        [CREDITS]: { credits: 10, kind: 'mixed', paid_credits: null, creator_cents: null },
      });
      await pass(60_000);
      expect(count(CREDITS)).toBe(5);
      expect(text('10 credits used.')).toHaveLength(1);
    });

    it('shows the number of credits when the details cannot be loaded', async () => {
      await shown(completed(), { [CREDITS]: refusal(404, 'Generation not found') });
      expect(text('10 credits used.')).toHaveLength(1);
    });

    it('shows others nothing', async () => {
      const { count } = await shown(completed({ is_owner: false }));
      expect(count(CREDITS)).toBe(0);
      expect(screen.queryByText(/credits used/)).toBeNull();
    });
  });

  describe('downloads', () => {
    /** Downloads with this button, and returns the requested address and the name of the saved file. */
    const saved = async (name: string, type: string) => {
      const prompt = 'Un café, “at night” <b> with a very long list of further words';
      await shown(completed({ id: '01a20883-d521-708a-b763-9d122630a158', prompt }));
      const answer = { ok: true, blob: () => Promise.resolve(new Blob(['x'], { type })) } as Response;
      const requests = jest.spyOn(globalThis, 'fetch').mockResolvedValue(answer);
      const names: string[] = [];
      const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
        this: HTMLAnchorElement,
      ) {
        names.push(this.download);
      });
      Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined });
      fireEvent.click(button(name));
      await pass(10);
      const address = requests.mock.calls[0]?.[0];
      click.mockRestore();
      requests.mockRestore();
      return { address, names };
    };

    it.each([
      ['Download', 'image/webp', '/media/g1.webp', 'webp'],
      ['PNG file', 'image/png', '/media/g1.png', 'png'],
      ['JPEG file', 'image/jpeg', '/media/g1.jpg', 'jpg'],
    ])(
      '[F2.49] saves the file of the button %s under the name of the creator and the first words of the prompt',
      async (name, type, address, extension) => {
        expect(await saved(name, type)).toEqual({
          address,
          names: [`junoabara-un-cafe-at-night-b-with-a-very-long-list-30a158.${extension}`],
        });
      },
    );

    it('offers PNG before JPEG', async () => {
      await shown(completed());
      const files = textsOf(screen.getAllByRole('button', { name: / file$/ }));
      expect(files).toEqual(['PNG', 'JPEG']);
    });
  });

  describe('share button', () => {
    const copied = jest.fn(() => Promise.resolve());
    /** A phone whose share sheet ends like this, or a device without one. */
    const device = (share: (() => Promise<void>) | undefined): void => {
      window.matchMedia = (media) =>
        ({
          media,
          matches: media === '(pointer: coarse)',
          addEventListener() {},
          removeEventListener() {},
        }) as unknown as MediaQueryList;
      copied.mockClear();
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
      Object.defineProperty(navigator, 'share', { configurable: true, value: share });
    };
    afterEach(() => {
      device(undefined);
      screenIs(false);
    });

    it('opens the share sheet of a phone with the title and the address', async () => {
      const share = jest.fn(() => Promise.resolve());
      device(share);
      await shown(completed());
      fireEvent.click(button('Share'));
      await pass(10);
      const url = `${window.location.origin}/junoabara/generate/g1`;
      expect(share.mock.calls).toEqual([[{ title: 'Fan art in Juno Abara’s style', url }]]);
      expect(copied).not.toHaveBeenCalled();
    });

    it.each([
      ['AbortError', 0],
      ['NotAllowedError', 1],
    ])('copies the link after a %s of the share sheet %s times', async (name, times) => {
      device(() => Promise.reject(new DOMException('No.', name)));
      await shown(completed());
      fireEvent.click(button('Share'));
      await pass(10);
      expect(copied).toHaveBeenCalledTimes(times);
    });

    it.each([
      ['without a share sheet', undefined],
      ['next to the share sheet', () => Promise.resolve()],
    ])('[F2.51] copies the link %s', async (_, share) => {
      device(share);
      await shown(completed());
      fireEvent.click(button('Copy link'));
      await pass(10);
      expect(copied).toHaveBeenCalledTimes(1);
      expect(messages()).toContain('Link copied to clipboard!');
    });
  });

  describe('shape', () => {
    const TALL = { ...PICTURE, width: 832, height: 1216 };
    const frame = (): string | undefined =>
      document.querySelector<HTMLElement>('[style*="--shape"]')?.style.getPropertyValue('--shape');
    const START = 'start_generation_by_jwt';
    const started = { success: true, generation_id: 'g2', prediction_id: null, status: 'pending' };

    it('stays the same from the start to the picture', async () => {
      const server = await shown(drawing({ aspect_ratio: 'portrait' }));
      expect(frame()).toBe(String(832 / 1216));
      server.answer({ [ROW]: completed({ aspect_ratio: 'portrait', image: TALL }) });
      await pass(5_000);
      await pass(10);
      expect(button('Download')).toBeTruthy();
      expect(frame()).toBe(String(832 / 1216));
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('follows the picture when the model has drawn another one', async () => {
      await shown(completed({ aspect_ratio: 'landscape' }));
      expect(frame()).toBe('1');
    });

    it('comes from the gallery before the first answer', async () => {
      await open({ [ROW]: never, get_gallery_generations_public: [{ ...GALLERY_ITEM, id: 'g1', image: TALL }] });
      expect(frame()).toBe(String(832 / 1216));
    });

    it('stays when the fan tries again after a failure', async () => {
      const row = failed('Prediction interrupted', { aspect_ratio: 'landscape' });
      const { calls } = await shown(row, { [START]: started });
      fireEvent.click(button(/^Try again/));
      await pass(100);
      expect(calls.find(({ name }) => name === START)?.body).toMatchObject({ p_aspect_ratio: 'landscape' });
    });

    it('goes along to a remix', async () => {
      const { router } = await shown(completed({ is_owner: false, aspect_ratio: 'portrait', image: TALL }));
      fireEvent.click(button('Remix'));
      await pass(10);
      expect(router.state.location.state).toMatchObject({
        aspectRatio: 'portrait',
        remixSource: { image: { width: 832, height: 1216 } },
      });
    });
  });

  describe('the arrows of a gallery', () => {
    const gallery = ['g1', 'g2', 'g3'].map((id) => ({ ...GALLERY_ITEM, id, prompt: `Picture ${id}`, total_count: 3 }));
    const openGallery = (fields: Partial<GenerationView> = {}) =>
      open({
        [ROW]: ({ p_generation_id: id }: { readonly p_generation_id: string }) => completed({ id, ...fields }),
        get_gallery_generations_public: gallery,
        [BALANCE]: { total_balance: 40, free_credits: 40, paid_credits: 0 },
      });
    const right = async (): Promise<void> => {
      fireEvent.keyDown(document.body, { key: 'ArrowRight' });
      await pass(100);
    };

    it('moves a visitor on without a call', async () => {
      asVisitor();
      const { calls } = await openGallery({ is_owner: false });
      const before = calls.length;
      await right();
      expect([heading(), text('Remix').length]).toEqual(['Picture g2', 1]);
      await right();
      await pass(60_000);
      expect([heading(), calls.slice(before)]).toEqual(['Picture g3', []]);
    });

    it('moves a person on without a call, and asks about a picture that stays', async () => {
      const { calls } = await openGallery({ is_owner: false });
      const before = calls.length;
      await right();
      await right();
      expect([heading(), calls.slice(before)]).toEqual(['Picture g3', []]);
      await pass(5_000);
      expect(calls.slice(before)).toEqual([{ name: ROW, body: { p_generation_id: 'g3' } }]);
    });

    it('shows what the owner can do once it is known whose picture it is', async () => {
      await openGallery({ is_owner: true });
      await right();
      expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
      await pass(500);
      expect(button('Delete')).toBeTruthy();
    });
  });

  it('says that a finished image could not be loaded, and loads it again', async () => {
    await shown(completed());
    const picture = () => screen.getAllByRole('img', { name: /fox/ })[0] as HTMLElement;
    fireEvent.error(picture());
    const again = button('Try again');
    expect(text('The image could not be loaded')).toHaveLength(1);
    text('It is finished and safe. The connection may be the reason.');
    expect(screen.queryByText(/Failed to generate/)).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
    again.focus();
    fireEvent.click(again);
    fireEvent.load(picture());
    expect(screen.queryByText('The image could not be loaded')).toBeNull();
    expect(document.activeElement).toBe(button('View the image full screen'));
  });

  it('[F4.01] treats an unknown status as in progress', async () => {
    await shown(generation({ status: 'starting' as 'pending', phase: null }));
    text('Generating: queued');
  });

  it('[F2.54, F4.23] shows connection trouble while generating, and recovers when the browser is online again', async () => {
    const server = await shown(drawing());
    text('Generating: drawing');
    server.answer({ [ROW]: lost });
    // The next check, and its two retries.
    await pass(5_000 + 1_000 + 2_000);
    expect(text('Connection issues, retrying...').some((element) => element.closest('[role=status]'))).toBe(true);
    server.answer({ [ROW]: completed() });
    act(() => void window.dispatchEvent(new Event('online')));
    await pass(0);
    expect(button('Download')).toBeTruthy();
  });

  it('[F8.20, F4.24] shows a connection error after three attempts, and retries', async () => {
    const server = await open({ [ROW]: lost });
    await pass(2_900);
    expect([server.count(ROW), screen.queryByRole('alert')]).toEqual([2, null]);
    await pass(100);
    expect(server.count(ROW)).toBe(3);
    expect(screen.getByRole('alert').textContent).toContain('Error connecting to server');
    text('Connection error. Please wait or try again later.');
    server.answer({ [ROW]: completed() });
    fireEvent.click(button('Retry'));
    await pass(0);
    expect(button('Download')).toBeTruthy();
  });

  it('takes no slow answer for a broken server while code of the page still arrives', async () => {
    let arrived = (): void => undefined;
    void trackCode(new Promise<void>((resolve) => (arrived = resolve)));
    await open({ [ROW]: never });
    await pass(20_000);
    expect(screen.queryByRole('alert')).toBeNull();
    arrived();
    await pass(6_000);
    expect(screen.getByRole('alert').textContent).toContain('Error connecting to server');
  });

  describe('an unknown viewer', () => {
    afterEach(() => {
      document.cookie = '__session=; max-age=0';
    });
    const said = () => screen.queryByText(/^Sign-in is still loading\./);

    it('claims nothing about the generation of a fan who had a session, and shows it when the fan is known', async () => {
      document.cookie = '__session=token';
      act(doubtSession);
      const server = await open({ [ROW]: drawing() });
      await pass(3_000);
      expect(said()).toBeTruthy();
      await pass(60_000);
      expect([heading(), server.count(ROW)]).toEqual(['Loading...', 0]);
      expect(screen.queryByRole('alert')).toBeNull();
      asFan();
      await pass(100);
      expect([heading(), said()]).toEqual(['A fox on the last train', null]);
    });

    it('asks without a token when this browser had no session, and again for the owner who is known later', async () => {
      act(doubtSession);
      const server = await open({ [ROW]: refusal(404, 'Generation not found or access denied') });
      await pass(20_000);
      expect([heading(), server.count(ROW)]).toEqual(['Loading...', 1]);
      expect(said()).toBeTruthy();
      server.answer({ [ROW]: drawing() });
      asFan();
      await pass(100);
      expect(heading()).toBe('A fox on the last train');
    });

    it('shows nothing of a picture that only the person saw who is gone', async () => {
      const server = await shown(completed({ hidden: true, is_owner: true }));
      expect(text('Only you can see this image.')).toHaveLength(1);
      server.answer({ [ROW]: refusal(404, 'Generation not found or access denied') });
      act(doubtSession);
      expect([heading(), screen.queryByText('Only you can see this image.')]).toEqual(['Loading...', null]);
      asVisitor();
      await pass(100);
      expect(server.router.state.location.pathname).toBe('/sign-in');
    });
  });

  it('says one sentence when it is opened offline, and goes on by itself', async () => {
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const server = await open({ [ROW]: lost });
    await pass(6000);
    expect(screen.getByRole('alert').textContent).toBe('You are offline. The image opens once the connection is back.');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    server.answer({ [ROW]: completed() });
    online.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.queryByRole('alert')).toBeNull();
    await pass(100);
    expect(button('Download')).toBeTruthy();
  });

  it.each([
    [
      'a generation that was cancelled because the creator has left',
      failed('Cancelled: this creator has left. Your credits were returned.', { refund_reason: 'user_cancelled' }),
      ['This creator left before your image was finished', 'The image was stopped. You did nothing wrong.', REFUNDED],
    ],
    [
      'a generation that finished without a picture',
      completed({ image: null, image_url: null }),
      ['Generation succeeded but returned invalid output format'],
    ],
  ] as const)('[F2.50, F4.08] shows %s', async (_, row, words) => {
    await shown(row);
    for (const line of words) expect(text(line).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('starts again at once after a failure, and shows none of the provider’s words', async () => {
    const { router, calls } = await shown(failed('Prediction interrupted; please retry (code: PA)'), {
      start_generation_by_jwt: { success: true, generation_id: 'g2', prediction_id: null, status: 'pending' },
    });
    expect(document.body.textContent).not.toContain('code: PA');
    const square = screen.getByText('The image service was interrupted.').parentElement;
    expect(square?.textContent).toContain(REFUNDED);
    fireEvent.click(button(/^Try again/));
    await pass(100);
    expect(calls.find(({ name }) => name === 'start_generation_by_jwt')?.body).toMatchObject({
      p_prompt: 'A fox on the last train',
      p_credit_cost: 10,
    });
    expect(router.state.location.pathname).toBe('/junoabara/generate/g2');
  });

  it('shows in the prompt box why a failed generation cannot start again, and when free credits come', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await shown(failed('Prediction interrupted'), {
      [BALANCE]: { total_balance: 5, daily_credits_last_granted: today },
      start_generation_by_jwt: refusal(402, 'Insufficient credits: Please purchase more credits to continue.'),
    });
    fireEvent.click(button(/^Try again/));
    await pass(100);
    text('You need more credits to generate this image.');
    text(/^Your next daily credits come/);
    expect(button(/^Try again/).getAttribute('aria-busy')).toBeNull();
  });

  it('offers to change the prompt when it was the reason of the failure', async () => {
    await shown(failed('NSFW content detected'));
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull();
    fireEvent.click(button('Change the prompt'));
    await pass(100);
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('A fox on the last train');
  });

  it('opens a remix with its picture, and its prompt as text in the box', async () => {
    const { router } = await shown(completed({ is_owner: false }));
    fireEvent.click(button('Remix'));
    await pass(10);
    expect(router.state.location).toMatchObject({
      pathname: '/junoabara/generate',
      state: {
        prompt: 'A fox on the last train',
        remixSource: { title: 'A fox on the last train', url: '/junoabara/generate/g1', image: { url: PICTURE.url } },
      },
    });
  });

  it('[F4.29] shows a pending refund, then the refund, and fetches the balance again', async () => {
    const ending = failed('Prediction interrupted', { refunded: false, credits_closed: false });
    const server = await open({ [ROW]: ending, [BALANCE]: { total_balance: 30 } }, { pill: true });
    text('Any credits that were used come back automatically.');
    expect(screen.queryByText(REFUNDED)).toBeNull();
    expect(button('30 credits')).toBeTruthy();
    server.answer({ [ROW]: failed('Prediction interrupted'), [BALANCE]: { total_balance: 40 } });
    await pass(5_000);
    text(REFUNDED);
    await pass(2_100);
    expect(button('40 credits')).toBeTruthy();
  });

  it('[F2.46] shows a banner, no prompt box and no gallery when the creator is archived', async () => {
    await shown(completed({ creator_is_visible: false }), {
      get_public_creator_by_username: { ...CREATOR, is_visible: false, can_generate: false },
    });
    text('Creator Archived. This creator is no longer active. Only viewing this specific content is available.');
    expect(button('Download')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'FAN ART GALLERY' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Remix' })).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('fetches the creator again when the image was stopped because the creator left', async () => {
    const server = await shown(drawing());
    server.answer({
      [ROW]: failed('Cancelled: this creator has left. Your credits were returned.', {
        creator_is_visible: false,
        updated_at: new Date(Date.now() + 1_000).toISOString(),
      }),
      get_public_creator_by_username: { ...CREATOR, is_visible: false, can_generate: false, withdrawn: true },
    });
    await pass(5_000);
    await pass(10);
    text('This creator has left Fanvas. Images that were made before stay with their owners.');
    expect(server.count('get_public_creator_by_username')).toBe(2);
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('shows that the creator has left, and no prompt box', async () => {
    await shown(completed({ creator_is_visible: false }), {
      get_public_creator_by_username: { ...CREATOR, is_visible: false, can_generate: false, withdrawn: true },
    });
    text('This creator has left Fanvas. Images that were made before stay with their owners.');
    expect(button('Download')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('[F2.35, F2.53] shows below the image that the gallery is empty', async () => {
    await shown(completed(), { get_gallery_generations_public: [] });
    expect(screen.getByRole('heading', { name: 'FAN ART GALLERY' })).toBeTruthy();
    text('No gallery items yet. Check back later!');
  });

  it.each([
    ['an unknown id', 404, 'Generation not found or access denied', 'Could not find the requested generation'],
    ['a session that has ended', 401, 'Authentication required', 'Authentication error. Please try again.'],
    [
      'a missing permission',
      403,
      'permission denied',
      'Authentication required to access generation details. Please sign in and try again.',
    ],
  ])('[F8.19, F8.21, F8.25] shows the refusal for %s', async (_, status, message, words) => {
    await open({ [ROW]: refusal(status, message) });
    expect(heading()).toBe(words);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('sends a visitor to sign in when the generation is refused', async () => {
    asVisitor();
    const { router } = await open({ [ROW]: refusal(404, 'Generation not found or access denied') });
    expect(router.state.location).toMatchObject({
      pathname: '/sign-in',
      state: { returnTo: '/junoabara/generate/g1', previousState: null },
    });
  });

  it('[F5.14] rejects a generation of another creator than in the address', async () => {
    await shown(completed({ creator_username: 'rafaquill' }));
    expect(heading()).toBe('Generation not found for this creator');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows a generation whose creator is unknown', async () => {
    await shown(completed({ creator_username: 'unknown', creator_is_visible: false }));
    expect(button('Download')).toBeTruthy();
  });

  describe('cancel button', () => {
    const cancelled = {
      success: true,
      message: 'Generation cancelled and credits refunded',
      status: 'canceled',
      generation_id: 'g1',
      prediction_id: 'p1',
      credit_refunded: 10,
      refund_details: { new_balances: {}, original_credit_type: 'bonus', refund_amount: 10 },
    };
    const cancel = (): void => void fireEvent.click(button('Cancel Generation'));

    it('[F4.11] waits three seconds, and shows how many are left', async () => {
      const server = await shown(drawing({ cancellable_at: new Date(Date.now() + 3_000).toISOString() }), {
        [CANCEL]: never,
      });
      cancel();
      text('Please wait 3 more seconds before cancelling');
      await pass(1_000);
      text('Please wait 2 more seconds before cancelling');
      expect(server.count(CANCEL)).toBe(0);
      await pass(2_000);
      cancel();
      await pass(0);
      expect(server.count(CANCEL)).toBe(1);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('[F4.11] offers the cancel before the first status, and needs no status for it', async () => {
      const state = { prompt: 'a fox', startedAt: Date.now() };
      const server = await open({ [ROW]: never, [CANCEL]: cancelled }, { state });
      cancel();
      text('Please wait 3 more seconds before cancelling');
      await pass(3_000);
      cancel();
      await pass(0);
      expect(server.calls.find(({ name }) => name === CANCEL)?.body).toMatchObject({ p_generation_id: 'g1' });
    });

    it('[F4.14] shows the cancellation also when the next status request fails', async () => {
      const server = await shown(drawing());
      server.answer({
        [CANCEL]: () => {
          server.answer({ [ROW]: lost });
          return cancelled;
        },
      });
      cancel();
      await pass(10);
      text('Generation was canceled by user');
      text(REFUNDED);
    });

    it.each([
      [404, 'Generation not found or access denied', 'Unable to cancel: generation record not found'],
      [401, 'Authentication required to cancel generation', 'Authentication error. Please try again.'],
      [500, 'Something went wrong', 'Failed to cancel generation. Please try again.'],
      [409, 'Generation was already canceled', 'Generation was already canceled'],
    ])('[F8.21, F4.13] shows the refusal %i: %s', async (status, message, words) => {
      await shown(drawing(), { [CANCEL]: refusal(status, message) });
      cancel();
      await pass(10);
      expect(messages()).toEqual([words]);
      text('Generating: drawing');
    });
  });
});
