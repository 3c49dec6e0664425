import { describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import {
  accessibilityFaults,
  asFan,
  asVisitor,
  CREATOR,
  fakeServer,
  never,
  pass,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  click,
  press,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import { doubtSession } from '../../../lib/auth.js';
import { queryClient } from '../../../lib/query.js';
import { SKIP_LINKS_ID } from '../../../components/skip-link.js';
import { runningPath } from '../navigation.js';
import { promptHistory } from '../prompt-history.js';
import { PromptBar } from './prompt-bar.js';

const START = 'start_generation_by_jwt';
const ACTIVE = 'has_active_pending_generation_jwt';
const creator = { ...CREATOR, credit_cost: 15 };
const started = { success: true, generation_id: 'g1', prediction_id: null, status: 'pending' };

describe('PromptBar', () => {
  const onCreditsChange = jest.fn();
  onPage(() => {
    screenIs(false);
    onCreditsChange.mockClear();
  });

  const open = async (
    answers: Answers = {},
    paused = false,
    state: unknown = null,
    generation: Pick<React.ComponentProps<typeof PromptBar>, 'initialPrompt' | 'activeGenerationId'> = {},
  ) => {
    const server = fakeServer({ [ACTIVE]: false, [START]: started, ...answers });
    const router = await renderPage(
      <>
        <div id={SKIP_LINKS_ID} />
        <PromptBar creator={{ ...creator, paused }} balance={40} onCreditsChange={onCreditsChange} {...generation} />
      </>,
      '/junoabara',
      '/junoabara',
      state,
    );
    return { ...server, router };
  };
  const field = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox');
  const submit = async (prompt: string): Promise<void> => {
    write(prompt);
    await click(button());
  };
  const write = (text: string): void => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: text } });
  };
  const button = (): HTMLElement => screen.getByRole('button', { name: /^Generate/ });

  it('starts one generation for a double press', async () => {
    const server = await open({ [START]: () => new Promise((resolve) => setTimeout(() => resolve(started), 500)) });
    write('A fox on the last train');
    const form = screen.getByRole('form');
    // Both presses in one frame: no render between them.
    act(() => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await pass(100);
    fireEvent.submit(form);
    await pass(1000);
    expect(server.count(START)).toBe(1);
    expect(screen.getByTestId('path').textContent).toBe('/junoabara/generate/g1');
  });

  it('shows the prompt of a running generation instead of an unsent one', async () => {
    await open();
    write('an unsent heron');
    cleanup();
    screenIs(true);
    await open({}, false, null, { initialPrompt: 'a harbour', activeGenerationId: 'g1' });
    expect(field().value).toBe('a harbour');
  });

  it('folds the box on a phone while an image is generated, and keeps it on a wide screen', async () => {
    const names = (): (string | null)[] => textsOf(screen.getAllByRole('button'));
    for (const [answers, generation] of [
      [{}, { initialPrompt: 'a harbour', activeGenerationId: 'g1' }],
      [{ [ACTIVE]: true }, {}],
    ] as const) {
      await open(answers, false, null, generation);
      await pass(10);
      expect([screen.queryByRole('textbox'), screen.queryByRole('group')]).toEqual([null, null]);
      expect(names()).toEqual(['Image Generating...']);
      screenIs(true);
      expect(field().disabled).toBe(true);
      screenIs(false);
      cleanup();
    }
  });

  it('gives a prompt of 220 characters the full width', async () => {
    await open();
    const sharesRow = (): boolean => field().className.includes('basis-0');
    write('a'.repeat(219));
    expect(sharesRow()).toBe(true);
    write('a'.repeat(220));
    expect(sharesRow()).toBe(false);
  });

  it('shows the price of the creator on the button, and starts at this price', async () => {
    const server = await open();
    write('A fox on the last train');
    expect(button().textContent).toContain('15 credits');
    await click(button());
    expect(server.calls.find(({ name }) => name === START)?.body).toMatchObject({
      p_creator_id: 'c1',
      p_credit_cost: 15,
    });
  });

  it('reports the deduction and stores the running generation when it has started', async () => {
    await open();
    write('A fox on the last train');
    expect(onCreditsChange).not.toHaveBeenCalled();
    await click(button());
    expect(onCreditsChange.mock.calls).toEqual([['deduction']]);
    expect(runningPath()).toBe('/junoabara/generate/g1');
  });

  it('stays on the page with the prompt, and reports no deduction, when the start is refused', async () => {
    const server = await open();
    server.answer({ [START]: () => Promise.reject(new TypeError('no network')) });
    write('A fox on the last train');
    await click(button());
    expect(screen.getByRole('alert').textContent).toContain('Error starting image generation. Please try again.');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('A fox on the last train');
    expect(onCreditsChange).not.toHaveBeenCalled();
  });

  it('sends the id of the request again after a lost answer, and another one after a refusal', async () => {
    const server = await open();
    write('A fox on the last train');
    const lost = () => Promise.reject(new TypeError('no network'));
    for (const answer of [lost, refusal(503, 'Busy', { 'X-Request-Id': 'r1' }), started]) {
      server.answer({ [START]: answer });
      await click(button());
    }
    const sent = server.calls.filter(({ name }) => name === START);
    const ids = sent.map(({ body }) => (body as { p_request_id: string }).p_request_id);
    expect(ids).toEqual([expect.any(String), ids[0], expect.not.stringMatching(ids[0]!)]);
  });

  it('polls every 5 s while another generation runs, and stops when it has ended', async () => {
    const server = await open({ [ACTIVE]: true });
    expect(screen.getByRole('button', { name: 'Image Generating...' })).toBeTruthy();
    await pass(10_000);
    expect(server.count(ACTIVE)).toBe(3);
    server.answer({ [ACTIVE]: false });
    await pass(5_001);
    expect(button()).toBeTruthy();
    await pass(3_600_000);
    expect(server.count(ACTIVE)).toBe(4);
  });

  it('says what is missing when only spaces are written, and nothing once the fan writes', async () => {
    const server = await open();
    await submit('   ');
    expect(screen.getByRole('alert').textContent).toBe('Describe the image first: what should it show?');
    expect(server.count(START)).toBe(0);
    write('a fox');
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('says on the button why nothing starts offline, and keeps the prompt', async () => {
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const server = await open();
    write('a fox');
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'You are offline' }).disabled).toBe(true);
    expect(screen.getByRole('status').textContent).toContain('You are offline. Your prompt is kept;');
    fireEvent.submit(screen.getByRole('form'));
    await pass(100);
    expect(server.count(START)).toBe(0);
    expect(field().value).toBe('a fox');
    online.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(button()).toBeTruthy();
  });

  it('sets the direction and the language of the prompt', async () => {
    await open();
    write('שועל אדום');
    expect([field().dir, field().lang]).toEqual(['auto', 'he']);
  });

  it('[F2.39, F4.26] shows that the generation starts', async () => {
    await open({ [START]: never });
    await submit('a harbour');
    expect(screen.getByText('Generating...').getAttribute('aria-hidden')).toBe('false');
    expect(screen.getByRole('status').textContent).toBe('Starting generation... This may take up to 30 seconds.');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.40, F4.05] disables the form while another image is generated', async () => {
    screenIs(true);
    await open({ [ACTIVE]: true });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Image Generating...' }).disabled).toBe(true);
    expect(field().disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Random prompt' }).disabled).toBe(true);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F4.05] enables the form when the status of other generations is unknown', async () => {
    const server = await open({ [ACTIVE]: refusal(500, 'Something went wrong') });
    await pass(60_000);
    // One request and two retries.
    expect(server.count(ACTIVE)).toBe(3);
    expect(field().disabled).toBe(false);
  });

  it('[F2.41] offers a random prompt', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Random prompt' }));
    expect(field().value.length).toBeGreaterThan(10);
  });

  it('[F5.02, F5.03] shows the sanitised prompt, and rejects a prompt that is empty after sanitising', async () => {
    const server = await open({ [START]: never });
    await submit('<b></b>');
    expect(screen.getByRole('alert').textContent).toContain(
      'Invalid Prompt - Your prompt was removed due to security reasons. Please enter a valid prompt that complies with our guidelines.',
    );
    expect(server.count(START)).toBe(0);
    await submit('a <b>harbour</b>   of glass');
    expect(field().value).toBe('a harbour of glass');
    expect(server.count(START)).toBe(1);
  });

  it.each([
    [
      'Insufficient credits: Please purchase more credits to continue.',
      402,
      'You need more credits to generate this image.',
    ],
    [
      'This prompt violates our content policy.',
      422,
      'This prompt violates our content policy. Please modify your prompt to comply with our content guidelines.',
    ],
  ])('[F8.14, F8.17] keeps the prompt when the start is refused: %s', async (message, status, words) => {
    await open({ [START]: refusal(status, message) });
    await submit('a harbour');
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain(words);
    expect(alert.textContent?.includes('Content Moderation Alert')).toBe(message.includes('policy'));
    const purchase = screen.queryByRole('link', { name: 'Purchase Credits' });
    expect(purchase?.getAttribute('href')).toBe(status === 402 ? '/purchase-credits' : undefined);
    // The page is loaded again.
    cleanup();
    await open();
    expect(field().value).toBe('a harbour');
  });

  it("shows whose rule it is when a word is on the creator's own list, and keeps the prompt", async () => {
    const message = 'Juno Abara does not allow this in prompts: “cigarette”.';
    await open({ [START]: refusal(422, message, {}, 'blocked_term') });
    await submit('a cigarette in the rain');
    const alert = screen.getByRole('alert').textContent;
    for (const words of ['A rule of this creator', message, 'No credits were used.']) expect(alert).toContain(words);
    expect(field().value).toBe('a cigarette in the rain');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows that the creator pauses when the start is refused for it', async () => {
    const message = 'Juno Abara is taking a break. Please come back later.';
    await open({ [START]: refusal(409, message, {}, 'creator_paused') });
    await submit('a harbour');
    expect(screen.getByRole('alert').textContent).toBe(`${message}No credits were used.`);
  });

  it('shows a notice and no form while the creator pauses', async () => {
    await open({}, true);
    expect(screen.getByRole('status').textContent).toContain('Juno Abara is taking a break.');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('has no accessibility faults when the start is refused', async () => {
    await open({ [START]: refusal(402, 'Insufficient credits') });
    await submit('a harbour');
    expect(screen.getByRole('alert').textContent).not.toBe('');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.43, F6.01] sends a visitor to sign up, with the prompt', async () => {
    asVisitor();
    const { router } = await open();
    await submit('a harbour');
    expect(router.state.location).toMatchObject({
      pathname: '/sign-up',
      state: {
        returnTo: '/junoabara',
        prompt: 'a harbour',
        previousState: { prompt: 'a harbour', creatorId: 'c1', deploymentName: null },
      },
    });
  });

  it('starts nothing and sends no one away while sign-in is still loading', async () => {
    act(doubtSession);
    const { router, count } = await open();
    await submit('a harbour');
    await pass(14_900);
    expect([router.state.location.pathname, count(START)]).toEqual(['/junoabara', 0]);
    await pass(100);
    expect(screen.getByText('Sign-in is still loading. Please try again in a moment.')).toBeTruthy();
    asFan();
    await submit('a harbour');
    expect(count(START)).toBe(1);
  });

  describe('aspect ratio', () => {
    const shape = (name: string): HTMLInputElement => screen.getByRole<HTMLInputElement>('radio', { name });
    const chosen = (): (string | undefined)[] =>
      screen
        .getAllByRole<HTMLInputElement>('radio')
        .filter(({ checked }) => checked)
        .map(({ value }) => value);

    it('starts as a square, and goes along to the start and the next page when it is chosen', async () => {
      const { calls, router } = await open();
      expect(screen.getByRole('group', { name: 'Aspect ratio' })).toBeTruthy();
      expect(chosen()).toEqual(['square']);
      fireEvent.click(shape('Portrait'));
      expect(chosen()).toEqual(['portrait']);
      await submit('a heron');
      expect(calls.find(({ name }) => name === START)?.body).toMatchObject({ p_aspect_ratio: 'portrait' });
      expect(router.state.location.state).toMatchObject({ aspectRatio: 'portrait' });
    });

    it('stays with the prompt through a refused start and a reload', async () => {
      await open({ [START]: refusal(500, 'Something else') });
      write('a heron');
      fireEvent.click(shape('Landscape'));
      await click(button());
      cleanup();
      await open();
      expect([field().value, chosen()]).toEqual(['a heron', ['landscape']]);
    });

    it('comes from the remixed image, and goes along to the sign-up', async () => {
      asVisitor();
      const { router } = await open({}, false, { prompt: 'a heron', aspectRatio: 'portrait' });
      expect(chosen()).toEqual(['portrait']);
      await submit('a heron');
      expect(router.state.location.state).toMatchObject({ previousState: { aspectRatio: 'portrait' } });
    });

    it('starts nothing with Enter, and cannot be changed while an image is generated', async () => {
      const server = await open();
      write('a heron');
      expect(fireEvent.keyDown(shape('Square'), { key: 'Enter' })).toBe(false);
      expect(fireEvent.keyDown(shape('Square'), { key: 'ArrowRight' })).toBe(true);
      expect(server.count(START)).toBe(0);
      cleanup();
      queryClient.clear();
      screenIs(true);
      await open({ [ACTIVE]: true });
      await pass(10);
      expect(screen.getByRole<HTMLFieldSetElement>('group', { name: 'Aspect ratio' }).disabled).toBe(true);
      expect(await accessibilityFaults()).toEqual([]);
    });
  });

  describe('focus', () => {
    it('moves to the Create button when the box is minimised, and back into the text', async () => {
      await open();
      await press('Minimise the prompt box', 50);
      const create = screen.getByRole('button', { name: 'Create' });
      expect(document.activeElement).toBe(create);
      await click(create, 50);
      expect(document.activeElement).toBe(field());
    });

    it('moves into the text by the skip link and by the key /', async () => {
      await open();
      const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Skip to the prompt' });
      // Without a target it is content outside of all landmarks.
      expect(document.querySelector(link.hash)).toBe(field());
      await click(link, 50);
      expect(document.activeElement).toBe(field());
      field().blur();
      expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
      await pass(50);
      expect(document.activeElement).toBe(field());
      // The key is text inside a field.
      expect(fireEvent.keyDown(field(), { key: '/' })).toBe(true);
    });

    it('moves into the text by the key / while the list of the search box is closed, and not while it is open', async () => {
      await open();
      const list = document.createElement('ul');
      list.setAttribute('role', 'listbox');
      document.body.append(list);
      try {
        expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
        list.hidden = true;
        expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
        await pass(50);
        expect(document.activeElement).toBe(field());
      } finally {
        list.remove();
      }
    });

    it('stays where it is for the key / when single keys are off', async () => {
      window.localStorage.setItem('fanvas.keys-off', '1');
      await open();
      expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
      expect(document.activeElement).toBe(document.body);
    });

    it('stays where it is for the key / while a generation runs', async () => {
      await open({ [ACTIVE]: true });
      expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(true);
      expect(document.activeElement).toBe(document.body);
    });

    it('moves into the text after a remix, which shows its prompt and picture', async () => {
      const image = { url: '/media/x/1024.webp', width: 1024, height: 1024, thumbhash: '' };
      await open({}, false, {
        prompt: 'a heron',
        remixSource: { title: 'a heron', url: '/junoabara/generate/g7', image },
      });
      expect(document.activeElement).toBe(field());
      expect(field().value).toBe('a heron');
      expect(document.querySelector(`img[src="${image.url}"]`)).not.toBeNull();
      expect(screen.getByRole('link', { name: 'a heron' }).getAttribute('href')).toBe('/junoabara/generate/g7');
    });
  });

  it('says after a sign-up what the fan has and what to press, with the focus in the text', async () => {
    await open({}, false, { prompt: 'a heron', creatorId: 'c1', deploymentName: null, resume: true });
    expect(document.activeElement).toBe(field());
    expect(screen.getByRole('status').textContent).toBe(
      'You are signed in and have 40 credits. Press Generate to make your image for 15.',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('marks the return from the sign-up in the navigation state', async () => {
    asVisitor();
    const { router } = await open();
    await submit('a harbour');
    expect(router.state.location.state).toMatchObject({ previousState: { resume: true } });
  });

  it('deletes all prompts of the history, and brings them back', async () => {
    for (const prompt of ['first', 'second']) promptHistory.add('user_1', prompt);
    await open();
    const choose = (name: string | RegExp): void =>
      void fireEvent.click(screen.getByRole('menuitem', { name }), { detail: 1 });
    fireEvent.keyDown(screen.getByRole('button', { name: 'Prompt history' }), { key: 'Enter' });
    await pass(50);
    expect(screen.getByRole('menu').textContent).toContain('Your last prompts');
    choose('Delete all prompts');
    await pass(50);
    expect(promptHistory.list('user_1')).toEqual([]);
    choose('Undo: bring back 2 prompts');
    await pass(50);
    expect(promptHistory.list('user_1')).toEqual(['second', 'first']);
    expect(textsOf(screen.getAllByRole('menuitem'))).toContain('second');
  });

  it('keeps the focus in the history when the keyboard deletes prompts and brings them back', async () => {
    for (const prompt of ['first', 'second']) promptHistory.add('user_1', prompt);
    await open();
    const chooseByKey = async (name: string): Promise<void> => {
      const item = screen.getByRole('menuitem', { name });
      act(() => item.focus());
      fireEvent.keyDown(item, { key: 'Enter' });
      await pass(50);
      expect(screen.getByRole('menu').contains(document.activeElement)).toBe(true);
    };
    fireEvent.keyDown(screen.getByRole('button', { name: 'Prompt history' }), { key: 'Enter' });
    await pass(50);
    await chooseByKey('Delete prompt: second');
    await chooseByKey('Delete all prompts');
    await chooseByKey('Undo: bring back the prompt');
    expect(promptHistory.list('user_1')).toEqual(['first']);
  });
});
