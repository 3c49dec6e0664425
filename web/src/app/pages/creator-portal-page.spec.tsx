import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { doubtSession } from '../../lib/auth.js';
import { reportSignUp, type SignUpFields, type SignUpFlow } from '../../lib/sign-up.js';
import {
  accessibilityFaults,
  asFan,
  asVisitor,
  CREATOR,
  fakeServer,
  lost,
  never,
  OWN_CREATOR,
  pass,
  PICTURE,
  refusal,
  renderPage,
  type Answers,
  type,
  click,
  onPage,
  textsOf,
} from '../../../test/page.js';
import Page from './creator-portal-page.js';

const RECORD = 'get_creator_by_jwt';
const TERMS = 'get_terms_acceptance_status_by_jwt';
const FIGURES = 'get_creator_dashboard_analytics';
const drawn = (total_generations: number) => ({ stats: { total_generations } });
const FAILED = 'Failed to load creator status. Please refresh the page.';

const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name });
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;
const press = async (name: string): Promise<void> => {
  await click(button(name), 0);
};
const alerts = (): (string | null)[] => textsOf(screen.queryAllByRole('alert'));

/** Opens the portal with these answers and navigation state. */
async function open(answers: Answers, state: unknown = null, address = '/creator') {
  const server = fakeServer({
    get_public_creators: [{ ...CREATOR, works: [PICTURE] }],
    [TERMS]: true,
    ...answers,
  });
  const router = await renderPage(<Page />, address, '/creator', state);
  await pass(0);
  return { ...server, router };
}
const openAs = (fields: Partial<OwnCreator>, state: unknown = null) =>
  open({ [RECORD]: [{ ...OWN_CREATOR, deployment_name: null, ...fields }] }, state);

describe('creator portal', () => {
  onPage(() => {
    jest.spyOn(console, 'warn').mockReturnValue(undefined);
    document.body.insertAdjacentHTML(
      'beforeend',
      '<script type="application/json" id="fanvas-config">{"demo":null}</script>',
    );
  });
  afterEach(() => {
    act(() => reportSignUp(null));
    document.getElementById('fanvas-config')?.remove();
  });

  describe('state of a signed-in person', () => {
    it('[C2.06] shows that it is loading', async () => {
      await open({ [RECORD]: never });
      expect(screen.getByRole('status').textContent).toBe('Loading creator portal...');
    });

    it('keeps the application of a person who did not accept the terms yet', async () => {
      await open({ [RECORD]: [] }, { formData: { name: 'Nadia Voss', instagram: '@nadia.voss' } });
      expect(screen.getByLabelText<HTMLInputElement>('Creator name').value).toBe('Nadia Voss');
      expect(screen.getByLabelText<HTMLInputElement>('Instagram handle').value).toBe('@nadia.voss');
    });

    it('[C2.07, C4.09] shows an error with the application below it, and no retry for a refusal', async () => {
      await open({ [RECORD]: refusal(404, 'No such call') });
      expect(screen.getByRole('alert').textContent).toBe(`Error Loading Portal${FAILED}Refresh Page`);
      expect(heading()).toBe('Apply to Become a Creator');
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('shows a person who is known to be a creator the error only', async () => {
      await open({ creators: [{ id: OWN_CREATOR.id }], [RECORD]: refusal(404, 'No such call') });
      expect(screen.getByRole('alert').textContent).toContain('Error Loading Portal');
      expect(screen.queryByRole('heading', { name: 'Apply to Become a Creator' })).toBeNull();
    });

    it('[C4.03] opens the terms for a creator who has not accepted them', async () => {
      const { router } = await open({ [RECORD]: [OWN_CREATOR], [TERMS]: false });
      expect(router.state.location).toMatchObject({
        pathname: '/creator/terms-acceptance',
        state: { flowType: 'existing_creator' },
      });
    });

    it('[C4.03] shows the status when the terms were accepted within the last 10 seconds', async () => {
      const accepted = { termsJustAccepted: true, timestamp: Date.now() - 9_000, flowType: 'existing_user' };
      const pending = { ...OWN_CREATOR, creator_status: 'pending' };
      await open({ [RECORD]: [pending], [TERMS]: false }, accepted);
      expect(heading()).toBe('Application Submitted');
    });

    it('[C2.13] shows the review', async () => {
      await openAs({ creator_status: 'pending', applied_at: '2026-11-19T09:00:00.000Z' });
      expect(heading()).toBe('Application Submitted');
      for (const text of ['Pending Review', 'Under Review', 'Model Training', 'Creator Access']) screen.getByText(text);
      screen.getByText('Sent 19 November 2026');
      expect(screen.getByRole('link', { name: 'terms v1.0' }).getAttribute('href')).toBe('/creator-terms');
      expect(await accessibilityFaults()).toEqual([]);
    });

    it.each([
      ['', drawn(0)],
      [', also when the figures cannot be read', refusal(403, 'No figures.')],
    ])('[C2.14] shows that the model training comes next%s', async (_, figures) => {
      const approved = { ...OWN_CREATOR, deployment_name: null, decided_at: '2026-11-22T09:00:00.000Z' };
      await open({ [RECORD]: [approved], [FIGURES]: figures });
      await pass(100);
      expect(heading()).toBe('Ready for AI Model Training');
      screen.getByText('Pending Contact');
      expect(document.body.textContent).toContain('A representative will reach out to juno@fanvas.example. Have 20');
      expect(screen.getAllByText('Approved 22 November 2026')).toHaveLength(2);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('[C2.15] shows a rejection with its reason, the days left and the exact date', async () => {
      jest.setSystemTime(new Date('2026-11-22T12:00:00Z'));
      await openAs({
        creator_status: 'rejected',
        rejection_reason: 'We could not confirm the handle.',
        decided_at: '2026-11-18T10:00:00.000Z',
        reapply_at: '2027-02-16T10:00:00.000Z',
      });
      expect(heading()).toBe('Application Not Approved');
      for (const text of ['We could not confirm the handle.', 'Common reasons', 'Next steps', '86']) {
        screen.getByText(text);
      }
      screen.getByText('16 February 2027');
      screen.getByText('Decided 18 November 2026');
      const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
      expect(links).toEqual(['/creator-requirements', '/']);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('[C4.15] offers a rejected person the application once the date has passed', async () => {
      const { router } = await openAs({ creator_status: 'rejected', reapply_at: '2026-01-01T00:00:00.000Z' });
      await click(screen.getByRole('link', { name: 'Apply again' }), 0);
      expect(heading()).toBe('Apply to Become a Creator');
      expect(screen.getByLabelText<HTMLInputElement>('Creator name').value).toBe('Juno Abara');
      await press('Apply');
      expect(router.state.location.pathname).toBe('/creator/terms-acceptance');
    });

    it('says only that the portal loads, until the dashboard appears with its first tab, which loads next', async () => {
      const said: string[] = [];
      const look = new MutationObserver(() => {
        const now = /Loading[^.]*\.\.\./.exec(document.body.textContent)?.[0] ?? '';
        if (said.at(-1) !== now) said.push(now);
      });
      look.observe(document.body, { subtree: true, childList: true, characterData: true });
      await openAs({ deployment_name: OWN_CREATOR.deployment_name });
      await import('../../features/creator-dashboard/creator-dashboard.js');
      while (said.at(-1) !== '') await pass(100);
      look.disconnect();
      expect(said).toEqual(['Loading creator portal...', 'Loading revenue...', '']);
    });

    it('[C4.07, C6.04] shows the dashboard of a creator with a model', async () => {
      // Under fake timers a test cannot wait for the load of this code.
      await import('../../features/creator-dashboard/creator-dashboard.js');
      await open({ [RECORD]: [OWN_CREATOR] });
      expect(await screen.findByRole('heading', { name: /Welcome back/ })).toBeTruthy();
    });

    it('keeps the dashboard of a creator who accepted again after the model was deleted', async () => {
      await import('../../features/creator-dashboard/creator-dashboard.js');
      const back = { ...OWN_CREATOR, deployment_name: null };
      await open({ [RECORD]: [back], [FIGURES]: drawn(4) }, null, '/creator?tab=profile');
      await screen.findByRole('heading', { name: /Welcome back/ });
    });

    it('[C4.10, C9.05] asks 3 times, a second apart, for the record of a new account', async () => {
      asFan({ createdAt: new Date(Date.now() - 60_000) });
      const server = await open({ [RECORD]: [] });
      for (const attempt of [1, 2, 3]) {
        expect(screen.getByRole('status').textContent).toBe(`Checking creator status... (attempt ${attempt}/3)`);
        expect(server.count(RECORD)).toBe(attempt);
        await pass(1_000);
      }
      expect(heading()).toBe('Apply to Become a Creator');
      expect(server.count(RECORD)).toBe(4);
      await pass(5_000);
      expect(server.count(RECORD)).toBe(4);
    });

    it('shows the record of a new account as soon as it exists', async () => {
      const server = await open({ [RECORD]: [] }, { source: 'signup', flowType: 'new_user', userId: 'user_1' });
      server.answer({ [RECORD]: [{ ...OWN_CREATOR, creator_status: 'pending' }] });
      await pass(1_000);
      expect(heading()).toBe('Application Submitted');
    });
  });

  describe('application', () => {
    it('[C2.12, C5.02] names the account, shows both messages and clears each on input', async () => {
      await open({ [RECORD]: [] });
      screen.getByText('ada@fanvas.example');
      type('Instagram handle', 'nadia');
      await press('Apply');
      expect(alerts()).toEqual(['Name is required', 'Instagram handle must start with @']);
      type('Creator name', 'Nadia Voss');
      expect(alerts()).toEqual(['Instagram handle must start with @']);
      type('Instagram handle', '');
      expect(alerts()).toEqual([]);
      await press('Apply');
      expect(alerts()).toEqual(['Instagram handle is required']);
      expect(await accessibilityFaults()).toEqual([]);
    });

    const apply = async (): Promise<void> => {
      type('Creator name', ' Nadia Voss ');
      type('Instagram handle', '@nadia.voss');
      await press('Apply');
    };

    it('[C2.29, C4.12] goes on to the terms with what was given', async () => {
      const { router } = await open({ [RECORD]: [] });
      await apply();
      expect(router.state.location).toMatchObject({
        pathname: '/creator/terms-acceptance',
        state: {
          source: 'application',
          flowType: 'existing_user',
          formData: { name: 'Nadia Voss', instagram: '@nadia.voss' },
          user: { clerkId: 'user_1', email: 'ada@fanvas.example' },
        },
      });
    });

    it('[C8.06, C9.05] reports a known application and opens it after 2 seconds', async () => {
      const server = await open({ [RECORD]: [] });
      server.answer({ [RECORD]: [{ ...OWN_CREATOR, creator_status: 'pending' }] });
      await apply();
      expect(alerts()).toEqual(['You already have a creator application. Redirecting...']);
      await pass(1_900);
      expect(heading()).toBe('Apply to Become a Creator');
      await pass(200);
      expect(heading()).toBe('Application Submitted');
    });

    it.each([
      [429, 'Too many applications. Please try again in a few minutes.'],
      [401, 'Authentication required. Please refresh the page.'],
      [500, 'It broke'],
    ])('[C8.05, C8.07] shows the refusal %i as: %s', async (status, message) => {
      const server = await open({ [RECORD]: [] });
      server.answer({ [RECORD]: refusal(status, 'It broke') });
      await apply();
      expect(alerts()).toEqual([message]);
    });
  });

  describe('sign-up', () => {
    /** A sign-up of the identity SDK; a sent form waits for its code. */
    const offer = (fields: Partial<SignUpFlow> = {}) => {
      const flow: SignUpFlow = {
        awaiting: null,
        start: jest.fn(({ email, metadata }: SignUpFields) => {
          act(() => reportSignUp({ ...flow, awaiting: { email, metadata } }));
          return Promise.resolve();
        }),
        sendCode: jest.fn(() => Promise.resolve()),
        verify: jest.fn(() => Promise.resolve('user_9')),
        ...fields,
      };
      act(() => reportSignUp(flow));
      return flow;
    };
    const fill = (): void => {
      type('Email', 'nadia@vossprints.example');
      type('Password', 'correct-horse-9');
      type('Name', 'Nadia Voss');
      type('Instagram handle', '@nadia.voss');
    };
    const refused = (code: string) => () =>
      Promise.reject(Object.assign(new Error('outer'), { errors: [{ code, message: 'Raw text' }] }));

    beforeEach(asVisitor);

    it('[C2.05, C2.08, C2.10, C4.01, C5.01] shows the form, and its checks in their order', async () => {
      offer();
      await open({});
      expect(heading()).toBe('Join as a Creator');
      const signIn = screen.getByRole('link', { name: 'Sign in' });
      expect(signIn.getAttribute('href')).toBe('/sign-in?redirect_url=/creator');
      await press('Continue');
      expect(alerts()).toEqual([
        'Email is required',
        'Password must be at least 8 characters',
        'Name is required',
        'Instagram handle is required',
      ]);
      expect(document.activeElement).toBe(screen.getByLabelText('Email'));
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('[C2.09, C2.11, C3.03, C4.11] sends six fields, takes a pasted code, and goes on to the terms', async () => {
      const flow = offer();
      const { router } = await open({});
      fill();
      await press('Continue');
      expect(flow.start).toHaveBeenCalledWith({
        email: 'nadia@vossprints.example',
        password: 'correct-horse-9',
        metadata: expect.objectContaining({
          instagram: '@nadia.voss',
          name: 'Nadia Voss',
          userAgent: navigator.userAgent,
          signupTimestamp: expect.any(String),
        }),
      });
      screen.getByRole('heading', { name: 'Verify Your Email' });
      const code = screen.getByLabelText<HTMLInputElement>('Code');
      expect([code.autocomplete, document.activeElement]).toEqual(['one-time-code', code]);
      type('Code', ' 424-242 ');
      expect(code.value).toBe('424242');
      await press('Verify');
      expect(flow.verify).toHaveBeenCalledWith('424242');
      expect(router.state.location).toMatchObject({
        pathname: '/creator/terms-acceptance',
        state: { source: 'signup', flowType: 'new_user', userId: 'user_9' },
      });
    });

    it('keeps the form when the person goes back, and the code step after a reload', async () => {
      const metadata = { signupSource: 'creator_portal', name: 'Nadia Voss', instagram: '@nadia.voss' };
      offer({ awaiting: { email: 'nadia@vossprints.example', metadata } });
      await open({});
      screen.getByRole('heading', { name: 'Verify Your Email' });
      await press('Back to the form');
      const value = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;
      expect(['Email', 'Password', 'Name', 'Instagram handle'].map(value)).toEqual([
        'nadia@vossprints.example',
        '',
        'Nadia Voss',
        '@nadia.voss',
      ]);
    });

    it('does not take the sign-up of a fan for its own', async () => {
      offer({ awaiting: { email: 'fan@fanvas.example', metadata: {} } });
      await open({});
      screen.getByRole('heading', { name: 'Create your account' });
    });

    it.each([
      ['a sentence', refused('form_identifier_exists'), 'That email address is taken. Please try another.'],
      ['the fallback', lost, 'An error occurred during sign-up'],
    ])('[C8.08] shows a refused sign-up in %s', async (_, start, message) => {
      offer({ start });
      await open({});
      fill();
      await press('Continue');
      expect(alerts()).toEqual([message]);
    });

    it('shows a refused e-mail address at its field, which has the focus', async () => {
      const errors = [{ code: 'form_identifier_exists', message: 'Raw', meta: { paramName: 'email_address' } }];
      const taken = () => Promise.reject(Object.assign(new Error('outer'), { errors }));
      offer({ start: taken });
      await open({});
      fill();
      await press('Continue');
      const email = screen.getByLabelText('Email');
      expect(alerts()).toEqual(['That email address is taken. Please try another.']);
      expect([email.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', email]);
    });

    it.each([
      ['a sentence', refused('form_code_incorrect'), 'Incorrect code'],
      ['the fallback', lost, 'Invalid verification code'],
    ])('[C8.08] shows a refused code in %s, and keeps the step', async (_, verify, message) => {
      offer({ verify });
      await open({});
      fill();
      await press('Continue');
      type('Code', '111111');
      await press('Verify');
      expect(alerts()).toEqual([message]);
      screen.getByRole('heading', { name: 'Verify Your Email' });
      const code = screen.getByLabelText<HTMLInputElement>('Code');
      expect(document.activeElement).toBe(code);
      expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6]);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('sends a new code after a minute', async () => {
      const flow = offer();
      await open({});
      fill();
      await press('Continue');
      expect(screen.queryByRole('button', { name: 'send a new code' })).toBeNull();
      for (let second = 0; second < 60; second += 1) await pass(1_000);
      await press('send a new code');
      expect(flow.sendCode).toHaveBeenCalledTimes(1);
      screen.getByText('1:00');
    });

    it('[C4.09] says that sign-in is still loading, and shows the sign-up to a visitor', async () => {
      act(() => asFan());
      act(doubtSession);
      await open({});
      await pass(20_000);
      expect(alerts()).toEqual([]);
      expect(screen.getByText(/^Sign-in is still loading\./)).toBeTruthy();
      asVisitor();
      expect(heading()).toBe('Join as a Creator');
    });
  });
});
