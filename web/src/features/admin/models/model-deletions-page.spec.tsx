import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { ModelDeletion } from '../../../../../src/contract/creators.js';
import { openAdminPage } from '../../../../test/admin-page.js';
import {
  type Answers,
  accessibilityFaults,
  messages,
  refusal,
  click,
  press,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import ModelDeletionsPage from './model-deletions-page.js';

const task = (fields: Partial<ModelDeletion> = {}): ModelDeletion => ({
  id: 'task_1',
  creator_id: 'c-nadia',
  creator_name: 'Nadia Voss',
  model: 'fanvas/nadia-voss',
  requested_at: '2026-10-10T10:00:00.000Z',
  due_at: '2026-11-09T10:00:00.000Z',
  overdue: true,
  done_at: null,
  done_by: null,
  cancelled_at: null,
  ...fields,
});
const LATER = task({ id: 'task_2', creator_name: 'Emeka Rowe', due_at: '2026-12-01T10:00:00.000Z', overdue: false });

describe('/admin/model-deletions', () => {
  onPage();

  const open = (answers: Answers = {}) =>
    openAdminPage(<ModelDeletionsPage />, '/admin/model-deletions', {
      get_model_deletions: (body: unknown) =>
        (body as { p_ended: boolean }).p_ended
          ? [task({ overdue: false, done_at: '2026-11-10T10:00:00.000Z', done_by: 'user_admin' })]
          : [task(), LATER],
      ...answers,
    });
  const record = async (): Promise<void> => {
    await press('Record deletion of the model of Nadia Voss');
    fireEvent.change(screen.getByLabelText('Type Nadia Voss to confirm'), { target: { value: 'nadia voss' } });
    const dialog = within(screen.getByRole('alertdialog'));
    await click(dialog.getByRole('button', { name: 'Record deletion' }));
  };

  it('lists the models with the day on which each is due, and marks the overdue ones', async () => {
    await open();
    const rows = within(screen.getByRole('list', { name: 'Models to delete' })).getAllByRole('listitem');
    expect(textsOf(rows)).toEqual([
      'Nadia Vossfanvas/nadia-vossWithdrawn 10 Oct 2026Overdue since 9 Nov 2026Record deletion',
      'Emeka Rowefanvas/nadia-vossWithdrawn 10 Oct 2026Due 1 Dec 2026Record deletion',
    ]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('records a deletion after the name was typed', async () => {
    const { server } = await open({ record_model_deletion: { success: true } });
    const before = server.count('get_model_deletions');
    await record();
    expect(server.calls.find(({ name }) => name === 'record_model_deletion')?.body).toEqual({
      p_creator_id: 'c-nadia',
    });
    expect(server.count('get_model_deletions')).toBe(before + 1);
    expect(messages()).toEqual(['The model of [Nadia Voss] is recorded as deleted.']);
  });

  it('keeps the dialog open when the task has ended meanwhile', async () => {
    await open({ record_model_deletion: refusal(404, 'There is no such task.') });
    await record();
    expect(screen.getByText('There is no such task.')).toBeTruthy();
  });

  it('shows what has ended, and who recorded it', async () => {
    await open();
    await press('Ended', 1000);
    expect(screen.getByText(/deleted 10 Nov 2026 by/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Record deletion/ })).toBeNull();
  });
});
