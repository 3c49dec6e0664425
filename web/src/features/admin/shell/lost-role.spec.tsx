import { describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { openAdminPage } from '../../../../test/admin-page.js';
import { application, NADIA } from '../../../../test/applications.js';
import { messages, pass, refusal, type Answers, press, type, click, textsOf, pressKey } from '../../../../test/page.js';
import { bar, openGallery, order, press as pressIn, row, onGalleryPage } from '../../../../test/gallery-editor.js';
import { ADMIN_CREATOR } from '../../../../test/rows.js';
import ApplicationsPage from '../applications/applications-page.js';
import { CreatorsPage } from '../creators/creators-page.js';
import ModelDeletionsPage from '../models/model-deletions-page.js';
import UsersPage from '../users/users-page.js';
import { AdminLayout } from './admin-layout.js';

const LOST = refusal(403, 'Admin privileges required');
const NOW = '2026-11-20T10:00:00.000Z';

const inFrame = (page: React.ReactNode): React.ReactNode => (
  <AdminLayout otherAreas={[]} account={null}>
    {page}
  </AdminLayout>
);
const open = async (page: React.ReactNode, address: string, answers: Answers) => {
  const { server } = await openAdminPage(page, address, answers);
  return server;
};
const expectNotice = (): void => {
  expect(screen.getByText('Admin privileges required', { selector: 'b' })).toBeTruthy();
  expect(screen.getByText(/Your role does not allow this any more/)).toBeTruthy();
};

/** Sheet 11: what was read stays, and what changes something goes, with its keys. */
describe('the admin area without the role', () => {
  onGalleryPage();

  it('reads the application, and cannot decide it', async () => {
    const server = await open(<ApplicationsPage />, '/admin/applications', {
      list_applications_admin: [NADIA],
      get_application_admin: application(NADIA),
      reject_creator_admin_by_jwt: LOST,
    });
    await pressKey('r');
    type('What the applicant reads', 'Not the owner of the account');
    await press('Reject Nadia Voss');
    expectNotice();
    expect(screen.getByText(/12 images drawn as a fan/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^(Approve|Reject|Ask|Send)/ })).toBeNull();
    expect(screen.queryByLabelText('What the applicant reads')).toBeNull();
    await pressKey('r');
    await pressKey('Enter', { ctrlKey: true });
    expect(server.count('reject_creator_admin_by_jwt')).toBe(1);
  });

  it('reads the creators, and can neither feature nor archive one', async () => {
    const server = await open(<CreatorsPage onChange={() => undefined} />, '/admin/gallery', {
      list_creators_admin: [ADMIN_CREATOR],
      toggle_creator_featured: LOST,
    });
    await click(screen.getByRole('switch', { name: 'Featured on Homepage' }));
    expect(messages()).toEqual(['Failed to update feature status. Please try again.']);
    expectNotice();
    const card = within(screen.getByRole('article', { name: ADMIN_CREATOR.name }));
    expect(card.queryByRole('switch')).toBeNull();
    expect(card.queryByRole('button')).toBeNull();
    expect(card.getByRole('link', { name: 'Manage Gallery' })).toBeTruthy();
    await pressKey('j');
    await pressKey('f');
    expect(server.count('toggle_creator_featured')).toBe(1);
  });

  it('reads the payments, and cannot look again at a checkout', async () => {
    const stuck = { session_id: 'cs_1', user_id: 'user_ines', status: 'open', credits: 100, amount_cents: 1000 };
    const server = await open(<UsersPage />, '/admin/users?tab=payments', {
      search_users_admin: [],
      list_credit_proposals_admin: [],
      get_payment_problems: [],
      list_stuck_checkouts_admin: [
        { ...stuck, id: 'co_1', created_at: NOW, what_to_do: 'Look at it again.', total_count: 1 },
      ],
      retry_checkout_admin: LOST,
    });
    await press(/^Look again/);
    expectNotice();
    expect(screen.queryByRole('button', { name: /^Look again/ })).toBeNull();
    expect(screen.getByText('Look at it again.')).toBeTruthy();
    expect(server.count('retry_checkout_admin')).toBe(1);
  });

  it('reads the models to delete, and cannot record a deletion', async () => {
    const task = { id: 't1', creator_id: 'c1', creator_name: 'Nadia Voss', model: 'fanvas/nadia', requested_at: NOW };
    const server = await open(<ModelDeletionsPage />, '/admin/model-deletions', {
      get_model_deletions: [{ ...task, due_at: NOW, overdue: true, done_at: null, done_by: null, cancelled_at: null }],
      record_model_deletion: LOST,
    });
    await press('Record deletion of the model of Nadia Voss');
    type('Type Nadia Voss to confirm', 'Nadia Voss');
    await press('Record deletion');
    expectNotice();
    expect(screen.queryByRole('button', { name: /^Record deletion/, hidden: false })).toBeNull();
    expect(screen.getByText('fanvas/nadia')).toBeTruthy();
    expect(server.count('record_model_deletion')).toBe(1);
  });

  it('keeps the changes of a gallery on the screen, and cannot save them', async () => {
    const { server, router } = await openGallery(
      { save_gallery_admin: LOST, get_admin_counts: { applications: 0, reports: 0, urgent: 0 } },
      inFrame,
    );
    pressIn('Move down', row('a'));
    pressIn('Save Changes');
    await pass(100);
    expectNotice();
    expect(order()).toEqual(['b', 'a', 'c']);
    expect(within(bar() as HTMLElement).queryByRole('button', { name: /^Save/ })).toBeNull();
    await pressKey('s', { ctrlKey: true });
    expect(server.count('save_gallery_admin')).toBe(1);
    act(() => void router.navigate('/admin/users'));
    await pass(100);
    const question = within(screen.getByRole('alertdialog', { name: 'Unsaved Changes' }));
    expect(textsOf(question.getAllByRole('button'))).toEqual(['Discard Changes', 'Cancel']);
    await click(question.getByRole('button', { name: 'Discard Changes' }));
    expect(router.state.location.pathname).toBe('/admin/users');
  });
});
