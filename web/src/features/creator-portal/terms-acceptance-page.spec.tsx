import { describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { CREATOR_TERMS } from '../../../../src/contract/creator-terms.js';
import {
  accessibilityFaults,
  asFan,
  fakeServer,
  never,
  OWN_CREATOR,
  pass,
  refusal,
  renderPage,
  type Answers,
  click,
  press,
  onPage,
  nextPage,
} from '../../../test/page.js';
import { TermsAcceptancePage } from './terms-acceptance-page.js';

const CREATE = 'create_creator_by_jwt';
const LOG = 'log-terms-acceptance';
const RECORD = 'get_creator_by_jwt';
const TERMS = 'get_terms_acceptance_status_by_jwt';

const application = {
  source: 'application',
  flowType: 'existing_user',
  formData: { name: 'Nadia Voss', instagram: '@nadia.voss' },
  user: { clerkId: 'user_1', email: 'ada@fanvas.example' },
};
const signUp = { source: 'signup', flowType: 'new_user', userId: 'user_1' };
const asCreator = { flowType: 'existing_creator' };
const pending = { ...OWN_CREATOR, creator_status: 'pending' };
const withdrawn = { ...OWN_CREATOR, withdrawn_at: '2026-11-20T10:00:00.000Z' };

const accept = async (): Promise<void> => {
  await press('I Accept Terms', 0);
};

describe('terms acceptance', () => {
  const onAccepted = jest.fn();

  onPage(() => {
    onAccepted.mockClear();
    jest.spyOn(console, 'warn').mockReturnValue(undefined);
  });

  const open = async (state: unknown, answers: Answers = {}) => {
    const server = fakeServer({
      [RECORD]: [],
      [TERMS]: false,
      [CREATE]: { success: true, creator_id: 'c1', username: 'nadiavoss', creator_status: 'pending' },
      [LOG]: { success: true, id: 'r1' },
      ...answers,
    });
    const address = '/creator/terms-acceptance';
    const router = await renderPage(<TermsAcceptancePage onAccepted={onAccepted} />, address, address, state);
    await pass(0);
    const sent = (name: string): unknown[] => server.calls.filter((call) => call.name === name).map(({ body }) => body);
    return { ...server, router, sent };
  };

  it('[C2.26, C2.28, C9.01] shows title, highlights, all sections, and what the acceptance records', async () => {
    await open(application);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Creator Terms of Use');
    for (const title of ['You Own Your Likeness', 'Exit Anytime']) screen.getByRole('heading', { name: title });
    screen.getByText(/Version v1.0, effective 7\/31\/2025/);
    const article = within(screen.getByRole('article'));
    for (const { title } of CREATOR_TERMS) article.getByRole('heading', { name: new RegExp(title) });
    const record = within(screen.getByRole('complementary', { name: 'What we record when you accept' }));
    record.getByText('Nadia Voss, ada@fanvas.example');
    screen.getByText('By accepting you confirm that you are 18 or older, and that the likeness is yours.');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['an unknown flow type', { flowType: 'admin' }, {}],
    ['the state of another account', { ...signUp, userId: 'user_2' }, {}],
    ['an acceptance of before', application, { [RECORD]: [OWN_CREATOR], [TERMS]: true }],
  ])('[C2.31] goes to the portal with %s', async (_, state, answers) => {
    const { router } = await open(state, answers);
    expect(router.state.location.pathname).toBe('/creator');
  });

  it('[C4.12, C7.02, C7.09, C3.04] makes a creator of an application, logs it, and goes to the portal', async () => {
    const server = await open(application);
    server.answer({
      [CREATE]: () => {
        server.answer({ [RECORD]: [pending], [TERMS]: true });
        return { success: true, creator_id: 'c1', username: 'nadiavoss', creator_status: 'pending' };
      },
    });
    await accept();
    expect(server.sent(CREATE)).toEqual([
      { p_email: 'ada@fanvas.example', p_name: 'Nadia Voss', p_instagram: '@nadia.voss', p_terms_agreed: true },
    ]);
    expect(server.sent(LOG)).toEqual([
      {
        user_id: 'user_1',
        email: 'ada@fanvas.example',
        accepted_at: expect.any(String),
        user_agent: navigator.userAgent,
        terms_version: 'v1.0',
        terms_url: 'http://localhost/creator-terms',
        method_of_acceptance: 'creator_application_form',
        accepted_text_snapshot: expect.stringContaining('Creator Terms of Use v1.0'),
      },
    ]);
    expect(server.router.state.location).toMatchObject({
      pathname: '/creator',
      state: { termsJustAccepted: true, timestamp: expect.any(Number), flowType: 'existing_user' },
    });
    expect(onAccepted).toHaveBeenCalledTimes(1);
  });

  it('[C2.29] takes name and Instagram of a new account from its sign-up, also after a reload', async () => {
    asFan({ metadata: { name: 'Nadia Voss', instagram: '@nadia.voss' } });
    const { sent } = await open(signUp);
    await accept();
    expect(sent(CREATE)).toMatchObject([{ p_name: 'Nadia Voss', p_instagram: '@nadia.voss' }]);
  });

  it('[C2.28] shows that it is busy, and sends one request', async () => {
    const server = await open(application, { [CREATE]: never });
    await accept();
    const button = screen.getByRole('button', { name: 'Processing...' });
    await click(button, 0);
    expect(server.count(CREATE)).toBe(1);
    expect(button.getAttribute('aria-busy')).toBe('true');
  });

  it('[C4.14, C8.11] goes on when only the log of a new creator fails', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue(undefined);
    const { router } = await open(application, { [LOG]: refusal(500, 'It broke') });
    await accept();
    expect(router.state.location.pathname).toBe('/creator');
    expect(logged).toHaveBeenCalledWith(
      'The acceptance of the terms could not be logged',
      expect.objectContaining({ message: 'Failed to log terms acceptance: 500 It broke' }),
    );
  });

  it.each([
    ['lacks the acceptance', OWN_CREATOR, false],
    ['withdrew', withdrawn, true],
  ])('[C4.12, C4.14] stores the acceptance of a creator who %s, and makes none', async (_, creator, accepted) => {
    const server = await open(asCreator, { [RECORD]: [creator], [TERMS]: accepted });
    await accept();
    expect([server.count(CREATE), server.count(LOG)]).toEqual([0, 1]);
    expect(server.router.state.location).toMatchObject({
      pathname: '/creator',
      state: { flowType: 'existing_creator' },
    });
  });

  it('[C4.14, C7.09] shows a failed log to a creator, whose only record it is', async () => {
    const { router } = await open(asCreator, { [RECORD]: [withdrawn], [TERMS]: true, [LOG]: refusal(500, 'It broke') });
    await accept();
    expect(screen.getByRole('alert').textContent).toBe('Failed to log terms acceptance: 500 It broke');
    expect(router.state.location.pathname).toBe('/creator/terms-acceptance');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[C8.01] shows why an acceptance was refused, and offers it again', async () => {
    await open(application, { [CREATE]: refusal(429, 'Rate limit exceeded. Please try again in 5 seconds.') });
    await accept();
    expect(screen.getByRole('alert').textContent).toBe('Too many requests. Please wait a moment and try again.');
    expect(screen.getByRole('button', { name: 'I Accept Terms' })).toBeTruthy();
  });

  it('[C8.06] opens the application of another tab that was first', async () => {
    const server = await open(application, {
      [CREATE]: refusal(409, 'You already have a creator application.'),
    });
    await accept();
    expect(screen.getByRole('alert').textContent).toBe('You already have a creator application. Redirecting...');
    server.answer({ [RECORD]: [pending], [TERMS]: true });
    await pass(2_000);
    expect(server.router.state.location.pathname).toBe('/creator');
    expect(server.count(CREATE)).toBe(1);
  });

  it('[C5.08] sends nothing for a new account without name and Instagram', async () => {
    const server = await open(signUp);
    await accept();
    expect(screen.getByRole('alert').textContent).toBe(
      'Missing required information. Please go back and complete the form.',
    );
    expect([server.count(CREATE), server.count(LOG)]).toEqual([0, 0]);
  });

  it('[C4.13] links a creator who does not accept now to the home page', async () => {
    await open(asCreator, { [RECORD]: [withdrawn], [TERMS]: true });
    expect(screen.getByRole('link', { name: 'Not Now' }).getAttribute('href')).toBe('/');
  });

  it('gives the application back to the portal when it is not accepted now', async () => {
    const { router } = await open(application);
    await click(screen.getByRole('link', { name: 'Not Now' }), 0);
    expect(router.state.location).toMatchObject({ pathname: '/creator', state: { formData: application.formData } });
  });

  it('restores the position after a reload', async () => {
    const scrollTo = jest.spyOn(window, 'scrollTo').mockReturnValue(undefined);
    await open(application);
    Object.defineProperty(window, 'scrollY', { configurable: true, value: 640 });
    window.dispatchEvent(new Event('pagehide'));
    const kept = window.sessionStorage.getItem('fanvas.terms-position') ?? '';
    expect(kept).toMatch(/ 640$/);
    nextPage();
    window.sessionStorage.setItem('fanvas.terms-position', kept);
    await open(application);
    expect(scrollTo).toHaveBeenCalledWith(0, 640);
    Object.defineProperty(window, 'scrollY', { configurable: true, value: 0 });
  });
});
