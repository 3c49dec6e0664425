import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { BlockedTerm, ConsentRecord, OwnCreator, PayoutDetails } from '../../../../../src/contract/creators.js';
import type { TakeDownState } from '../../../../../src/contract/gallery.js';
import type { CreatorMoney } from '../../../../../src/contract/revenue.js';
import {
  accessibilityFaults,
  fakeServer,
  messages,
  never,
  OWN_CREATOR,
  pass,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  click,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import { ACCEPTED, ownStyleImage } from '../../../../test/rows.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { ControlsTab } from './controls-tab.js';

const CREATOR = 'get_creator_by_jwt';
const TERMS = 'get_own_blocked_terms_by_jwt';
const IMAGES = 'get_images_of_own_style_by_jwt';
const CONSENT = 'get_own_consent_by_jwt';
const DETAILS = 'get_own_payout_details_by_jwt';
const PAUSE = 'set_creator_paused_by_jwt';
const WITHDRAW = 'withdraw_consent_by_jwt';
const SAVE = 'save_own_payout_details_by_jwt';

const term = (words: string, stopped = 0): BlockedTerm => ({
  id: words,
  term: words,
  added_at: '2026-11-01T10:00:00.000Z',
  stopped,
});
const takeDown = (fields: Partial<TakeDownState> = {}): TakeDownState => ({
  request_id: 'r1',
  requested_at: '2026-11-22T10:00:00.000Z',
  due_at: '2026-11-24T10:00:00.000Z',
  reason: 'Not me.',
  decision: null,
  decided_at: null,
  ...fields,
});
const details: PayoutDetails = {
  legal_name: 'J. Abara',
  country: 'DE',
  account_ending: '4417',
  tax_status: 'foreign_person',
  changed_at: '2026-11-22T10:00:00.000Z',
  held_until: '2026-11-29T10:00:00.000Z',
  changes: [{ at: '2026-02-02T10:00:00.000Z', changed: ['legal_name', 'account'] }],
};

const MONEY: CreatorMoney = {
  earned_cents: 160_400,
  pending_cents: 17_650,
  payable_cents: 16_050,
  under_way_cents: 1_750,
  paid_cents: 125_850,
  debt_cents: 900,
};

const onPageChange = jest.fn();

/** The tab with the record that the server answers, as on the dashboard. */
function Dashboard(): React.ReactNode {
  const { data } = useRpc(CREATOR, {});
  return data?.[0] && <ControlsTab creator={data[0]} onPageChange={onPageChange} />;
}

describe('ControlsTab', () => {
  onPage(() => screenIs(true));

  const open = async (answers: Answers = {}, creator: Partial<OwnCreator> = {}, address = '/creator') => {
    const server = fakeServer({
      [CREATOR]: [{ ...OWN_CREATOR, ...creator }],
      [TERMS]: [],
      [IMAGES]: [],
      [CONSENT]: [ACCEPTED],
      [DETAILS]: [],
      list_payout_statements: { statements: [], total: { payouts: 0, pictures: 0, amount_cents: 0 }, next: null },
      get_creator_dashboard_analytics: { revenue: MONEY },
      ...answers,
    });
    const router = await renderPage(<Dashboard />, address);
    await pass(10);
    return { ...server, router };
  };
  const section = (name: string) => within(screen.getByRole('region', { name }));
  const press = async (button: HTMLElement): Promise<void> => {
    button.focus();
    await click(button, 50);
  };
  const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } });

  it('has no accessibility faults while it loads', async () => {
    await open({ [TERMS]: never, [IMAGES]: never, [CONSENT]: never, [DETAILS]: never });
    for (const words of ['Loading blocked words', 'Loading pictures', 'Loading your consent', 'Loading payout details'])
      expect(screen.getByText(words)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('opens at the section that the address names', async () => {
    const scroll = jest.fn();
    Element.prototype.scrollIntoView = scroll;
    await open({}, {}, '/creator?tab=controls#payouts');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Payouts' }));
    expect(scroll).toHaveBeenCalled();
  });

  it('shows what could not be loaded, and loads it again', async () => {
    const failed = refusal(400, 'Something went wrong.');
    const server = await open({ [TERMS]: failed, [IMAGES]: failed, [CONSENT]: failed, [DETAILS]: failed });
    expect(section('Blocked words').getByRole('alert').textContent).toContain('could not be loaded');
    server.answer({ [TERMS]: [term('politician')] });
    await press(section('Blocked words').getByRole('button', { name: 'Retry' }));
    expect(section('Blocked words').getByText('politician')).toBeTruthy();
    for (const name of ['Pictures', 'Consent', 'Payouts'])
      expect(section(name).getByRole('alert').textContent).toContain('could not be loaded');
    expect(await accessibilityFaults()).toEqual([]);
  });

  describe('pause', () => {
    const openForFans = (): HTMLElement => screen.getByRole('switch', { name: 'Open for fans' });

    it('shows the new state at once, and is sent once', async () => {
      const server = await open({ [PAUSE]: never });
      expect(openForFans().getAttribute('aria-checked')).toBe('true');
      await press(openForFans());
      expect(openForFans().getAttribute('aria-checked')).toBe('false');
      expect(openForFans().getAttribute('aria-busy')).toBe('true');
      await press(openForFans());
      expect([server.count(PAUSE), server.last(PAUSE)]).toEqual([1, { p_paused: true }]);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('opens the page again', async () => {
      onPageChange.mockClear();
      const paused = { ...OWN_CREATOR, paused_at: '2026-11-22T10:00:00.000Z' };
      const server = await open({ [PAUSE]: { success: true, paused_at: null } }, paused);
      expect(section('Pause').getByRole('status').textContent).toContain('Paused.');
      server.answer({ [CREATOR]: [OWN_CREATOR] });
      await press(openForFans());
      expect(openForFans().getAttribute('aria-checked')).toBe('true');
      expect(openForFans().getAttribute('aria-busy')).toBeNull();
      expect(onPageChange).toHaveBeenCalledTimes(1);
    });

    it('goes back when it fails', async () => {
      await open({ [PAUSE]: refusal(503, 'Please try again.') });
      await press(openForFans());
      expect(openForFans().getAttribute('aria-checked')).toBe('true');
      expect(messages()).toEqual(['Your page could not be paused.']);
    });
  });

  describe('blocked words', () => {
    const field = (): HTMLInputElement =>
      screen.getByRole<HTMLInputElement>('textbox', { name: 'Add a word or phrase' });
    const enter = async (words: string): Promise<void> => {
      type(field(), words);
      fireEvent.submit(screen.getByRole('form', { name: 'Blocked words' }));
      await pass(50);
    };

    it('shows each word with the prompts that it stopped', async () => {
      await open({ [TERMS]: [term('politician', 6), term('my sister', 4)] });
      const words = section('Blocked words').getAllByRole('listitem');
      expect(textsOf(words)).toEqual([
        'politician6 prompts stopped this month',
        'my sister4 prompts stopped this month',
      ]);
      section('Blocked words').getByText('Stopped 10 prompts this month, before any credits were taken');
      section('Blocked words').getByText('2 of 100');
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('adds a word with Enter', async () => {
      const server = await open({ add_own_blocked_term_by_jwt: [term('tattoo')] });
      server.answer({ [TERMS]: [term('tattoo')] });
      await enter('  tattoo ');
      expect(server.last('add_own_blocked_term_by_jwt')).toEqual({ p_term: 'tattoo' });
      expect(screen.getByRole('button', { name: 'Remove “tattoo”' })).toBeTruthy();
      expect(field().value).toBe('');
      expect(screen.getByText('Blocked “tattoo”.').getAttribute('role')).toBe('status');
    });

    it('keeps a word that the server refuses, with the reason', async () => {
      await open({ add_own_blocked_term_by_jwt: refusal(409, 'You already block this word or phrase.') });
      await enter('tattoo');
      expect(section('Blocked words').getByRole('alert').textContent).toBe('You already block this word or phrase.');
      expect(field().value).toBe('tattoo');
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('removes a word, and moves the focus to the title, which opens no keyboard', async () => {
      const server = await open({ [TERMS]: [term('tattoo')], remove_own_blocked_term_by_jwt: { success: true } });
      server.answer({ [TERMS]: [] });
      await press(screen.getByRole('button', { name: 'Remove “tattoo”' }));
      expect(server.last('remove_own_blocked_term_by_jwt')).toEqual({ p_term_id: 'tattoo' });
      expect(section('Blocked words').queryByText('tattoo')).toBeNull();
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Blocked words' }));
    });
  });

  describe('pictures', () => {
    it('says that the gallery is empty, not that there are no pictures', async () => {
      await open();
      expect(section('Pictures').getByText('No pictures yet')).toBeTruthy();
      await press(section('Pictures').getByRole('button', { name: 'In my gallery' }));
      expect(section('Pictures').getByText('Your gallery is empty')).toBeTruthy();
    });

    const button = (name: RegExp): HTMLElement => section('Pictures').getByRole('button', { name });

    it.each([
      ['in the gallery', {}, 'In your gallery', [/^Hide/, /^Ask for take-down/]],
      ['outside of the gallery', { in_gallery: false }, 'Not in your gallery', [/^Ask for take-down/]],
      [
        'that the creator hides',
        { hidden_by_creator_at: '2026-11-21T10:00:00.000Z' },
        'Hidden by you, 21 Nov',
        [/^Show again/, /^Ask for take-down/],
      ],
      ['with an open request', { take_down: takeDown() }, 'Take-down asked for, 22 Nov', [/^Take back/]],
      ['that was removed', { take_down: takeDown({ decision: 'removed' }), image: null }, 'Removed', []],
      ['that the team keeps', { take_down: takeDown({ decision: 'kept' }) }, 'Kept, in your gallery', [/^Hide/]],
      [
        'whose request was taken back',
        { take_down: takeDown({ decision: 'taken_back' }) },
        'In your gallery',
        [/^Hide/, /^Ask/],
      ],
    ] as const)('shows a picture %s', async (_, fields, state, acts) => {
      await open({ [IMAGES]: [ownStyleImage(fields)] });
      expect(section('Pictures').getByText(new RegExp(`^${state}`))).toBeTruthy();
      const row = within(section('Pictures').getAllByRole('row')[1]!);
      const labels = row.queryAllByRole('button').map(({ textContent }) => textContent ?? '');
      expect(labels.map((label, index) => acts[index]?.test(label))).toEqual(acts.map(() => true));
    });

    it('hides a picture and keeps the focus', async () => {
      const server = await open({ [IMAGES]: [ownStyleImage()], hide_from_own_gallery_by_jwt: { success: true } });
      server.answer({ [IMAGES]: [ownStyleImage({ hidden_by_creator_at: '2026-11-22T11:00:00.000Z' })] });
      await press(button(/^Hide/));
      expect(server.last('hide_from_own_gallery_by_jwt')).toEqual({ p_generation_id: 'g1', p_hidden: true });
      expect(document.activeElement).toBe(button(/^Show again/));
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('reports a picture that could not be hidden', async () => {
      await open({
        [IMAGES]: [ownStyleImage()],
        hide_from_own_gallery_by_jwt: refusal(404, 'There is no such image.'),
      });
      await press(button(/^Hide/));
      expect(messages()).toEqual(['The picture could not be hidden.']);
    });

    it('asks for a take-down with a reason, and takes it back', async () => {
      const server = await open({ [IMAGES]: [ownStyleImage()], request_take_down_by_jwt: takeDown() });
      await press(button(/^Ask for take-down/));
      const dialog = within(screen.getByRole('dialog', { name: 'Ask for take-down' }));
      await press(dialog.getByRole('button', { name: 'Ask for take-down' }));
      expect(dialog.getByRole('alert').textContent).toBe('Please say why.');
      expect(server.count('request_take_down_by_jwt')).toBe(0);
      server.answer({ [IMAGES]: [ownStyleImage({ take_down: takeDown() })], take_back_take_down_by_jwt: takeDown() });
      type(dialog.getByRole('textbox'), ' Not me. ');
      await press(dialog.getByRole('button', { name: 'Ask for take-down' }));
      expect(server.last('request_take_down_by_jwt')).toEqual({ p_generation_id: 'g1', p_reason: 'Not me.' });
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(document.activeElement).toBe(button(/^Take back/));
      server.answer({ [IMAGES]: [ownStyleImage()] });
      await press(button(/^Take back/));
      expect(server.last('take_back_take_down_by_jwt')).toEqual({ p_request_id: 'r1' });
      expect(button(/^Ask for take-down/)).toBeTruthy();
    });

    it('shows a part of the pictures, a page at a time', async () => {
      const server = await open({ [IMAGES]: [ownStyleImage({ total_count: 7 })] });
      expect(section('Pictures').getByText('7 pictures, your own included')).toBeTruthy();
      await press(button(/^Next/));
      expect(server.last(IMAGES)).toEqual({ p_limit: 6, p_offset: 6 });
      await press(button(/^Take-downs/));
      expect(server.last(IMAGES)).toEqual({ p_limit: 6, p_offset: 0, p_only: 'take_downs' });
      expect(button(/^Take-downs/).getAttribute('aria-pressed')).toBe('true');
    });

    it('shows a list on phones', async () => {
      screenIs(false);
      await open({ [IMAGES]: [ownStyleImage()] });
      expect(section('Pictures').queryByRole('table')).toBeNull();
      expect(button(/^Hide/)).toBeTruthy();
      expect(await accessibilityFaults()).toEqual([]);
    });
  });

  describe('consent', () => {
    const field = (): HTMLInputElement =>
      screen.getByRole<HTMLInputElement>('textbox', { name: 'Write your name to confirm' });
    const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name });

    it('shows what was accepted, when, how and by which person', async () => {
      const paused: ConsentRecord = {
        ...ACCEPTED,
        id: 'a2',
        kind: 'paused',
        at: '2026-11-22T10:00:00.000Z',
        terms_version: null,
        method_of_acceptance: null,
        email: null,
      };
      await open({ [CONSENT]: [paused, ACCEPTED] });
      const consent = section('Consent');
      consent.getByText(/^Creator Terms of Use v1.0, effective 7\/31\/2025/);
      consent.getByText(
        (_, element) =>
          element?.tagName === 'DD' &&
          element.textContent === '28 January 2026, 14:06:31 UTC, in the creator application form',
      );
      consent.getByText('Juno Abara, juno@fanvas.example');
      expect(consent.getByRole('link', { name: /^Read it/ }).getAttribute('href')).toBe('/creator-terms');
      const steps = within(consent.getByRole('list', { name: 'Every step on record' })).getAllByRole('listitem');
      expect(textsOf(steps)).toEqual([
        'Paused22 November 2026, 10:00:00 UTC',
        'Accepted: Creator Terms of Use v1.028 January 2026, 14:06:31 UTC, in the creator application form, juno@fanvas.example',
      ]);
    });

    it('ends after the creator has typed the name', async () => {
      const withdrawn = { ...OWN_CREATOR, withdrawn_at: '2026-11-22T11:00:00.000Z', is_visible: false };
      const server = await open({ [WITHDRAW]: { success: true, withdrawn_at: withdrawn.withdrawn_at } });
      await press(button('Withdraw…'));
      const dialog = within(screen.getByRole('alertdialog', { name: 'Withdraw your consent?' }));
      expect(dialog.getByText(/earned/).textContent).toBe(
        ': of $1,604.00 earned, $1,258.50 is paid. $17.50 on its way, $160.50 payable, $176.50 pending are paid as ' +
          'usual, less $9.00 that was taken back after a payout',
      );
      expect(dialog.getAllByRole('button').map(({ textContent }) => textContent?.split('...')[0])).toEqual([
        'Keep my consent',
        expect.stringContaining('Pause instead'),
        expect.stringContaining('Withdraw'),
      ]);
      type(field(), 'Juno Ab');
      expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Withdraw' }).disabled).toBe(true);
      type(field(), ' Juno  Abara');
      server.answer({ [CREATOR]: [withdrawn] });
      await press(dialog.getByRole('button', { name: 'Withdraw' }));
      expect(server.last(WITHDRAW)).toEqual({ p_confirmation: 'Juno Abara' });
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Consent' }));
      expect(screen.getByRole('switch').getAttribute('aria-disabled')).toBe('true');
      await press(button('Accept again'));
      expect(server.router.state.location).toMatchObject({
        pathname: '/creator/terms-acceptance',
        state: { flowType: 'existing_creator' },
      });
    });

    it('stays when the withdrawal fails, and says why', async () => {
      await open({ [WITHDRAW]: refusal(503, 'Please try again later.') });
      await press(button('Withdraw…'));
      type(field(), 'Juno Abara');
      await press(button('Withdraw'));
      expect(within(screen.getByRole('alertdialog')).getByRole('alert').textContent).toBe('Please try again later.');
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('stays when the creator pauses instead, and the focus returns', async () => {
      const server = await open({ [PAUSE]: { success: true, paused_at: '2026-11-22T11:00:00.000Z' } });
      await press(button('Withdraw…'));
      await press(button('Pause instead'));
      expect([server.count(WITHDRAW), server.last(PAUSE)]).toEqual([0, { p_paused: true }]);
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(document.activeElement).toBe(button('Withdraw…'));
    });
  });

  describe('payouts', () => {
    const field = (name: string): HTMLInputElement => screen.getByRole<HTMLInputElement>('textbox', { name });
    const choice = (name: string): HTMLElement => screen.getByRole('combobox', { name });
    const button = (name: string): HTMLElement => section('Payouts').getByRole('button', { name });

    it('shows the details in part, until when payouts are held, and what changed', async () => {
      const { calls } = await open({ [DETAILS]: [details] });
      const facts = textsOf(section('Payouts').getAllByRole('definition'));
      expect(facts).toEqual([
        'Account ending 4417, J. Abara',
        'Germany',
        'Person outside the United States, for tax',
        '22 November 2026, 10:00:00 UTC',
      ]);
      section('Payouts').getByText(/^Payouts are held until 29 November 2026, 10:00:00 UTC/);
      section('Payouts').getByText('Changed legal name, account');
      section('Payouts').getByText('No payouts yet');
      const asked = calls.find(({ name }) => name === 'list_payout_statements');
      expect(asked?.body).toMatchObject({ p_creator_id: OWN_CREATOR.id });
      expect(section('Payouts').getByText('$160.50')).toBeTruthy();
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('asks for every field', async () => {
      const server = await open();
      await press(button('Enter payout details'));
      expect(document.activeElement).toBe(field('Legal name'));
      await press(button('Save details'));
      const problems = textsOf(section('Payouts').getAllByRole('alert'));
      expect(problems).toEqual([
        'Enter your legal name, at most 200 characters.',
        'Please choose a country.',
        'Enter an IBAN, or an account number with its bank code: 6 to 50 letters and digits.',
        'Please choose your tax status.',
      ]);
      expect(document.activeElement).toBe(field('Legal name'));
      expect(server.count(SAVE)).toBe(0);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('saves new details, and returns the focus', async () => {
      const server = await open({ [DETAILS]: [details], [SAVE]: details });
      await press(button('Change payout details'));
      expect([field('Legal name').value, field('Account').value]).toEqual(['J. Abara', '']);
      type(field('Account'), 'DE02 1203 0000 0000 2020 51');
      type(choice('Country'), 'FR');
      await press(button('Save details'));
      expect(server.last(SAVE)).toEqual({
        p_legal_name: 'J. Abara',
        p_country: 'FR',
        p_account: 'DE02 1203 0000 0000 2020 51',
        p_tax_status: 'foreign_person',
      });
      await pass(50);
      expect(document.activeElement).toBe(button('Change payout details'));
    });

    it('shows a refusal at its field', async () => {
      await open({
        [DETAILS]: [details],
        [SAVE]: refusal(422, 'This IBAN is not valid. Please check each character.'),
      });
      await press(button('Change payout details'));
      type(field('Account'), 'DE00');
      await press(button('Save details'));
      expect(section('Payouts').getByRole('alert').textContent).toBe(
        'This IBAN is not valid. Please check each character.',
      );
      expect(field('Account').getAttribute('aria-invalid')).toBe('true');
    });
  });
});
