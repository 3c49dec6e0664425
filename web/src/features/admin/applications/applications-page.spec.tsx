import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { Application, ApplicationRow, ModelTrial } from '../../../../../src/contract/applications.js';
import {
  accessibilityFaults,
  asFan,
  fakeServer,
  messages,
  pass,
  PICTURE,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  type FakeServer,
  type,
  click,
  press,
  onPage,
} from '../../../../test/page.js';
import { application, NADIA } from '../../../../test/applications.js';
import { useKeyListener } from '../../../components/work-area/keys.js';
import ApplicationsPage from './applications-page.js';

const EMEKA: ApplicationRow = { ...NADIA, creator_id: 'c-emeka', name: 'Emeka Rowe', instagram: '@emekarowe' };
const TAMSIN: ApplicationRow = {
  ...NADIA,
  creator_id: 'c-tamsin',
  name: 'Tamsin Oke',
  state: 'waiting_for_model',
  decided_at: '2026-11-09T10:00:00.000Z',
  total_count: 1,
};

let server: FakeServer;
let waiting: ApplicationRow[];
let known: Record<string, Application>;

/** The page in the frame of the area, which listens to keys. */
function Framed(): React.ReactNode {
  useKeyListener();
  return <ApplicationsPage />;
}

async function open(address = '/admin/applications', answers: Answers = {}): ReturnType<typeof renderPage> {
  server = fakeServer({
    list_applications_admin: (body: unknown) =>
      waiting.filter(({ state }) => state === (body as { p_state: string }).p_state),
    get_application_admin: (body: unknown) => known[(body as { p_creator_id: string }).p_creator_id],
    approve_creator_admin_by_jwt: decide,
    reject_creator_admin_by_jwt: decide,
    ask_applicant_admin: {},
    ...answers,
  });
  const router = await renderPage(<Framed />, address);
  await pass(300);
  return router;
}

function decide(body: unknown): object {
  waiting = waiting.filter(({ creator_id: id }) => id !== (body as { p_creator_id: string }).p_creator_id);
  return {};
}

onPage(() => {
  asFan({ id: 'admin_1' });
  screenIs(true);
  waiting = [NADIA, EMEKA, TAMSIN];
  known = {
    'c-nadia': application(NADIA),
    'c-emeka': application(EMEKA),
    'c-tamsin': application(TAMSIN),
  };
});

const region = (name = 'Nadia Voss'): HTMLElement => screen.getByRole('region', { name: `Application of ${name}` });
const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name });
const key = (name: string, more: object = {}): void => void fireEvent.keyDown(document.body, { key: name, ...more });

describe('the page of applications', () => {
  it('shows the oldest application with everything that is known', async () => {
    await open();
    for (const text of ['v1.0 accepted', 'No earlier application', /12 images drawn as a fan/, 'Pending Review']) {
      expect(within(region()).getByText(text)).toBeTruthy();
    }
    expect(within(region()).getByRole('link', { name: '@nadia.voss' }).getAttribute('target')).toBe('_blank');
    expect(screen.getByRole('link', { name: 'Pending 2 waiting' }).getAttribute('aria-current')).toBe('page');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('approves once each check has a note, and opens the next applicant', async () => {
    await open();
    key('a');
    await pass(0);
    expect(button('Approve Nadia Voss').disabled).toBe(true);
    type('Identity', 'Passport');
    type('18 or older', 'Passport');
    type('The account is theirs', 'A story');
    await click(button('Approve Nadia Voss'), 300);
    expect(server.last('approve_creator_admin_by_jwt')).toEqual({
      p_creator_id: 'c-nadia',
      p_identity_verified: 'Passport',
      p_age_verified: 'Passport',
      p_instagram_verified: 'A story',
    });
    expect(messages()).toEqual(['[Nadia Voss] approved']);
    expect(region('Emeka Rowe')).toBeTruthy();
  });

  it('rejects by keyboard with a prepared reason that the applicant reads', async () => {
    await open();
    key('r');
    await pass(0);
    fireEvent.change(screen.getByLabelText('Reason'), { target: { value: '0' } });
    const field = screen.getByLabelText<HTMLTextAreaElement>('What the applicant reads');
    expect(field.value).toContain('@nadia.voss belongs to you');
    expect(screen.getByText(`${field.value.length} / 500`)).toBeTruthy();
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    await pass(300);
    expect(server.last('reject_creator_admin_by_jwt')).toEqual({ p_creator_id: 'c-nadia', p_reason: field.value });
    expect(region('Emeka Rowe')).toBeTruthy();
  });

  it('asks for more and keeps the application open', async () => {
    await open();
    fireEvent.click(screen.getByRole('radio', { name: /^Ask for more/ }));
    type('Question', 'Since when is it yours?');
    await click(button('Ask Nadia Voss'), 300);
    expect(server.last('ask_applicant_admin')).toEqual({
      p_creator_id: 'c-nadia',
      p_question: 'Since when is it yours?',
    });
    expect(region()).toBeTruthy();
  });

  it('keeps notes and a half-made decision while another application is open, until the decision is sent', async () => {
    await open('/admin/applications', { ask_applicant_admin: refusal(500, 'The database is away.') });
    const value = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;
    const leaveAndReturn = async (): Promise<void> => {
      key('j');
      await pass(300);
      expect(within(region('Emeka Rowe')).queryAllByDisplayValue(/Passport|Since when/)).toEqual([]);
      key('k');
      await pass(300);
    };
    type('Identity', 'Passport');
    fireEvent.click(screen.getByRole('radio', { name: /^Ask for more/ }));
    type('Question', 'Since when is it yours?');
    await leaveAndReturn();
    expect([value('Identity'), value('Question')]).toEqual(['Passport', 'Since when is it yours?']);
    // A refusal keeps it too.
    await click(button('Ask Nadia Voss'), 300);
    expect(value('Question')).toBe('Since when is it yours?');
    server.answer({ ask_applicant_admin: {} });
    await click(button('Ask Nadia Voss'), 300);
    await leaveAndReturn();
    expect([value('Identity'), screen.queryByLabelText('Question')]).toEqual(['Passport', null]);
  });

  it('shows why an act was refused', async () => {
    const message = 'This creator has no open application.';
    await open('/admin/applications', { reject_creator_admin_by_jwt: refusal(409, message) });
    key('r');
    await pass(0);
    type('What the applicant reads', 'No');
    await click(button('Reject Nadia Voss'), 300);
    expect(screen.getByRole('alert').textContent).toBe(message);
  });

  it('says in a message whose application was refused once it is not in the list any more', async () => {
    const message = 'This creator has no open application.';
    await open('/admin/applications', {
      reject_creator_admin_by_jwt: (body: unknown) => {
        decide(body);
        return refusal(409, message);
      },
    });
    key('r');
    await pass(0);
    type('What the applicant reads', 'No');
    await click(button('Reject Nadia Voss'), 300);
    expect(region('Emeka Rowe')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(messages()).toEqual([`[Nadia Voss]: ${message}`]);
  });

  it('keeps letters out of the address until the typing stops, and then searches', async () => {
    const router = await open();
    type('Search applications', 'Em');
    type('Search applications', 'Emeka ');
    await pass(100);
    expect(router.state.location.search).toBe('');
    await pass(300);
    expect(router.state.location.search).toBe('?tab=pending&search=Emeka');
    expect(server.last('list_applications_admin')).toMatchObject({ p_search: 'Emeka' });
    expect(screen.getByLabelText<HTMLInputElement>('Search applications').value).toBe('Emeka ');
  });

  it('offers no decision about the own application', async () => {
    known['c-nadia'] = application(NADIA, { own: true });
    await open();
    expect(within(region()).getByText(/Another admin must decide it/)).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('checks a model, draws a trial picture and assigns the model on it', async () => {
    const trial: ModelTrial = {
      id: 't1',
      creator_id: 'c-tamsin',
      deployment_name: 'fanvas/tamsin',
      lora_id: null,
      prompt: 'A fox',
      status: 'pending',
      error: null,
      image: null,
      created_at: new Date().toISOString(),
    };
    await open('/admin/applications?tab=waiting_for_model', {
      check_model_admin: { found: true, assigned_to: null, problem: null },
      draw_model_trial_admin: () => {
        known['c-tamsin'] = application(TAMSIN, { trials: [trial] });
        return trial;
      },
      get_model_trial_admin: () => {
        const done: ModelTrial = { ...trial, status: 'completed', image: PICTURE };
        known['c-tamsin'] = application(TAMSIN, { trials: [done] });
        return done;
      },
      assign_creator_model_admin_by_jwt: decide,
    });
    key('m');
    await pass(0);
    type('Deployment name or version', 'fanvas/tamsin');
    await click(button('Check'));
    expect(screen.getByText('Found')).toBeTruthy();
    expect(button('Assign the model to Tamsin Oke').disabled).toBe(true);
    await click(button('Draw a trial picture'), 5_000);
    expect(screen.getByRole('img', { name: 'Trial picture: A fox' })).toBeTruthy();
    await click(button('Assign the model to Tamsin Oke'), 300);
    expect(server.last('assign_creator_model_admin_by_jwt')).toEqual({
      p_creator_id: 'c-tamsin',
      p_deployment_name: 'fanvas/tamsin',
      p_trial_id: 't1',
    });
    expect(screen.getByText('No creator waits for a model.')).toBeTruthy();
  });

  it('keeps what was filled in when a tablet is turned', async () => {
    await open('/admin/applications?tab=waiting_for_model');
    await press(/Tamsin Oke/, 300);
    key('m');
    await pass(0);
    type('Deployment name or version', 'fanvas/tamsin');
    screenIs(false);
    await pass(0);
    expect(button('Back to the list')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Deployment name or version').value).toBe('fanvas/tamsin');
  });

  it('shows the list first on phones, and the application with a way back', async () => {
    screenIs(false);
    await open();
    expect(screen.queryByRole('region', { name: /^Application of/ })).toBeNull();
    await press(/^Nadia Voss|Nadia Voss/, 300);
    expect(region()).toBeTruthy();
    await click(button('Back to the list'));
    expect(screen.queryByRole('region', { name: /^Application of/ })).toBeNull();
  });
});
