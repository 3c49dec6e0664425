/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, configure, fireEvent, screen, within } from '@testing-library/react';
import type { AdminGallery, AdminGeneration, AdminGenerationRow } from '../../../../../src/contract/admin-gallery.js';
import type { AdminCreatorRow } from '../../../../../src/contract/applications.js';
import {
  accessibilityFaults,
  asFan,
  endPage,
  fakeServer,
  messages,
  never,
  OWN_CREATOR,
  pass,
  PICTURE,
  refusal,
  renderPage,
  screenIs,
  startPage,
  type Answers,
  type FakeServer,
} from '../../../../test/page.js';
import { GalleryPage } from './gallery-page.js';

const ADDRESS = '/admin/gallery/junoabara';
const CREATOR: AdminCreatorRow = { ...OWN_CREATOR, profile: null, gallery_size: 3, works: [], total_count: 1 };
const NEXT: AdminCreatorRow = { ...CREATOR, id: 'c2', name: 'Kit Hanamori', username: 'kithanamori' };

const image = (id: string, fields: Partial<AdminGeneration> = {}): AdminGeneration => ({
  id,
  prompt: `Picture ${id}`,
  image_url: PICTURE.url,
  image: PICTURE,
  status: 'completed',
  created_at: '2026-11-17T21:14:08.000Z',
  updated_at: '2026-11-17T21:14:46.000Z',
  credit_cost: 10,
  refunded: false,
  refund_reason: null,
  refunded_at: null,
  error_message: null,
  creator_id: 'c1',
  user_id: 'user_9',
  in_gallery: false,
  not_addable: null,
  ...fields,
});
const FAILED = image('f1', {
  status: 'failed',
  image: null,
  image_url: null,
  refunded: true,
  refund_reason: 'Timed out after 15 minutes',
  refunded_at: '2026-11-19T22:33:50.000Z',
  error_message: 'The image service gave no answer within 900 seconds.',
  not_addable: 'no_image',
});
const gallery = (ids: string, fields: Partial<AdminGallery> = {}): AdminGallery => ({
  creator_id: 'c1',
  version: 4,
  saved_at: '2026-11-22T09:39:00.000Z',
  saved_by: 'Sol Brandt',
  items: [...ids].map((id) => image(id)),
  ...fields,
});
const rows = (items: AdminGeneration[], total = items.length): AdminGenerationRow[] =>
  items.map((item) => ({ ...item, total_count: total }));

interface SaveRequest {
  readonly p_creator_id: string;
  readonly p_expected_version: number;
  readonly p_gallery_order: string[];
}
/** Stores what is sent, as the next version. */
const saves = (body: unknown): AdminGallery => {
  const { p_gallery_order: order, p_expected_version: version } = body as SaveRequest;
  return gallery(order.join(''), { version: version + 1 });
};

// Whether an element is hidden takes jsdom longer than all the rest.
configure({ defaultHidden: true });

const onSaved = jest.fn();
let server: FakeServer;

async function open(answers: Answers = {}): Promise<Awaited<ReturnType<typeof renderPage>>> {
  server = fakeServer({
    list_creators_admin: (body: unknown) => {
      const { p_state: state, p_username: name } = body as { p_state: string; p_username?: string };
      if (state === 'archived') return [];
      return name === undefined ? [CREATOR, NEXT] : [CREATOR, NEXT].filter(({ username }) => username === name);
    },
    get_gallery_admin: gallery('abc'),
    list_creator_generations_admin: rows([image('x'), image('b'), FAILED], 30),
    save_gallery_admin: saves,
    ...answers,
  });
  const router = await renderPage(<GalleryPage onSaved={onSaved} />, ADDRESS, '/admin/gallery/:username');
  await pass(100);
  return router;
}

beforeEach(() => {
  startPage();
  asFan({ id: 'admin_1' });
  screenIs(true);
  onSaved.mockReset();
});
afterEach(endPage);

const list = (): HTMLElement => screen.getByRole('grid', { name: 'Images of the gallery in their order' });
const order = (): string[] =>
  within(list())
    .getAllByRole('row')
    .map((row) => row.getAttribute('data-key') ?? '');
const row = (id: string): HTMLElement => {
  const found = within(list())
    .getAllByRole('row')
    .find((each) => each.getAttribute('data-key') === id);
  if (!found) throw new Error(`no row ${id}`);
  return found;
};
const press = (name: string | RegExp, inside: HTMLElement = document.body): void =>
  void fireEvent.click(within(inside).getByRole('button', { name }));
const isDisabled = (button: HTMLElement): boolean => button.getAttribute('aria-disabled') === 'true';
const bar = (): HTMLElement | null => screen.queryByRole('region', { name: 'Unsaved changes' });

describe('GalleryPage', () => {
  it('[C2.43] names the creator, the way back and the next creator', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Gallery Management: Juno Abara' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to Creators' }).getAttribute('href')).toBe('/admin/gallery');
    expect(screen.getByRole('link', { name: 'Next: Kit Hanamori' }).getAttribute('href')).toBe(
      '/admin/gallery/kithanamori',
    );
  });

  it('[C2.44] lists the gallery in its order', async () => {
    await open();
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(within(row('a')).getByText('Picture a')).toBeTruthy();
    expect(within(row('a')).getByText('17 Nov 2026')).toBeTruthy();
    expect(within(row('a')).getByRole('button', { name: 'Remove from gallery' }).title).toBe('Remove from gallery');
  });

  it('moves an image with its buttons and with Alt ↑ ↓, and announces the position', async () => {
    await open();
    press('Move down', row('a'));
    expect(order()).toEqual(['b', 'a', 'c']);
    fireEvent.keyDown(row('c'), { key: 'ArrowUp', altKey: true });
    expect(order()).toEqual(['b', 'c', 'a']);
    expect(screen.getByText('Moved to Position 2 of 3: Picture c')).toBeTruthy();
    expect(bar()?.textContent).toContain('Unsaved changes: order changed');
    expect(within(row('a')).getByText('Moved from 1')).toBeTruthy();
  });

  it('moves an image to the top, to the bottom and to a typed position', async () => {
    await open();
    const dialog = (): HTMLElement => screen.getByRole('dialog', { name: 'Move image' });
    press(/^Position 3 of 3/, row('c'));
    press('To top', dialog());
    expect(order()).toEqual(['c', 'a', 'b']);
    press(/^Position 1 of 3/, row('c'));
    press('To bottom', dialog());
    expect(order()).toEqual(['a', 'b', 'c']);
    press(/^Position 3 of 3/, row('c'));
    const field = within(dialog()).getByRole('textbox', { name: 'Position (1 to 3)' });
    fireEvent.change(field, { target: { value: '7' } });
    fireEvent.submit(field);
    expect(within(dialog()).getByRole('alert').textContent).toBe('Type a whole number from 1 to 3');
    fireEvent.change(field, { target: { value: '2' } });
    fireEvent.submit(field);
    expect(order()).toEqual(['a', 'c', 'b']);
  });

  it('moves an image by the drag handle and the keyboard', async () => {
    await open();
    const handle = within(row('c')).getByRole('button', { name: 'Drag Picture c' });
    act(() => handle.focus());
    fireEvent.keyDown(handle, { key: 'Enter' });
    fireEvent.keyUp(handle, { key: 'Enter' });
    await pass(50);
    const key = async (name: string): Promise<void> => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
      fireEvent.keyUp(document.activeElement ?? document.body, { key: name });
      await pass(50);
    };
    await key('Home');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Insert before Picture a');
    expect(screen.getByText('Position 1 of 3')).toBeTruthy();
    await key('Enter');
    expect(order()).toEqual(['c', 'a', 'b']);
  });

  it('removes an image and puts it back', async () => {
    await open();
    press('Remove from gallery', row('b'));
    expect(order()).toEqual(['a', 'c']);
    expect(bar()?.textContent).toContain('Unsaved changes: 1 removed');
    expect(screen.getByText('Removed: ‘Picture b’')).toBeTruthy();
    press('Put back: Picture b');
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(bar()).toBeNull();
  });

  it('[C2.44] says that the gallery is empty', async () => {
    await open({ get_gallery_admin: gallery('') });
    expect(screen.getByText('No items in gallery')).toBeTruthy();
  });

  it('[C2.45] [C2.46] adds generations, marks those in the gallery, and refuses those without an image', async () => {
    await open();
    expect(screen.getByPlaceholderText('Search by prompt or paste generation ID...')).toBeTruthy();
    expect(screen.getByText('Tip: a whole generation ID finds exactly that image.')).toBeTruthy();
    const add = screen.getAllByRole('button', { name: 'Add to Gallery' });
    expect(add.map(isDisabled)).toEqual([false, true]);
    expect(screen.getAllByRole('button', { name: 'In Gallery' }).map(isDisabled)).toEqual([true]);
    fireEvent.click(add[0] as HTMLElement);
    expect(order()).toEqual(['a', 'b', 'c', 'x']);
    expect(within(row('x')).getByText('Added')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'In Gallery' })).toHaveLength(2);
  });

  it('[C2.46] [C5.13] [C9.14] pages by 12 and begins a search on page 1', async () => {
    await open();
    expect(screen.getByText('Page 1 of 3')).toBeTruthy();
    press('Next');
    await pass(50);
    const last = (): unknown => server.calls.findLast(({ name }) => name === 'list_creator_generations_admin')?.body;
    expect(last()).toMatchObject({ p_creator_id: 'c1', p_limit: 12, p_offset: 12, p_search: null });
    server.answer({ list_creator_generations_admin: [] });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' moth ' } });
    await pass(300);
    await pass(50);
    expect(last()).toMatchObject({ p_offset: 0, p_search: 'moth' });
    expect(screen.getByText('No generations found')).toBeTruthy();
    expect(screen.queryByText(/^Page/)).toBeNull();
  });

  it('[C2.47] [C2.50] [C3.07] shows every field of a failed and refunded generation', async () => {
    await open();
    press('Details of “Picture f1”');
    const dialog = screen.getByRole('dialog', { name: 'Generation Details' });
    const fields = [...dialog.querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]);
    expect(fields).toEqual([
      ['Generation ID', 'f1'],
      ['Prompt', 'Picture f1'],
      ['Status', 'failed'],
      ['Created', '17 Nov 2026, 21:14:08 UTC'],
      ['Last Updated', '17 Nov 2026, 21:14:46 UTC'],
      ['Credit Cost', '10 credits'],
    ]);
    expect(dialog.textContent).toContain('RefundedTimed out after 15 minutesRefunded on 19 Nov 2026');
    expect(dialog.textContent).toContain('Error DetailsThe image service gave no answer within 900 seconds.');
    expect(isDisabled(within(dialog).getByRole('button', { name: 'Add to Gallery' }))).toBe(true);
    press('Previous generation', dialog);
    expect(dialog.querySelector('dd')?.textContent).toBe('b');
    expect(isDisabled(within(dialog).getByRole('button', { name: 'In Gallery' }))).toBe(true);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[C2.48] [C4.21] counts the unsaved changes and discards them', async () => {
    await open();
    press('Remove from gallery', row('a'));
    fireEvent.click(screen.getAllByRole('button', { name: 'Add to Gallery' })[0] as HTMLElement);
    press('Move up', row('x'));
    expect(bar()?.textContent).toContain('Unsaved changes: 1 added, 1 removed, order changed');
    press('Discard Changes');
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(bar()).toBeNull();
  });

  it('[C4.20] saves the order with the version that was loaded', async () => {
    await open();
    press('Move down', row('a'));
    press('Save Changes');
    await pass(50);
    expect(server.calls.find(({ name }) => name === 'save_gallery_admin')?.body).toEqual({
      p_creator_id: 'c1',
      p_expected_version: 4,
      p_gallery_order: ['b', 'a', 'c'],
    });
    expect(bar()).toBeNull();
    expect(onSaved).toHaveBeenCalledTimes(1);
    expect(messages()).toEqual(['Gallery saved.']);
  });

  it('[C8.16] keeps the changes when they cannot be saved', async () => {
    await open({ save_gallery_admin: refusal(500, 'Something went wrong on our side. Please try again.') });
    press('Move down', row('a'));
    press('Save Changes');
    await pass(50);
    expect(messages()).toEqual(['Failed to save changes. Please try again.']);
    expect(order()).toEqual(['b', 'a', 'c']);
    expect(bar()).toBeTruthy();
  });

  it('[C5.11] [C8.16] asks for another try when a save has no session', async () => {
    await open({ save_gallery_admin: refusal(401, 'Authentication required for gallery modifications') });
    press('Move down', row('a'));
    press('Save Changes');
    await pass(50);
    expect(messages()).toEqual(['Authentication required. Please try again.']);
    expect(bar()).toBeTruthy();
  });

  it('[C8.16] reports what could not be loaded', async () => {
    await open({
      get_gallery_admin: refusal(400, 'No.'),
      list_creator_generations_admin: refusal(400, 'No.'),
    });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load gallery items');
    server.answer({ get_gallery_admin: gallery('abc') });
    press('Try Again');
    await pass(50);
    expect(screen.getByRole('alert').textContent).toContain('Failed to load generations');
  });

  it('[C2.42] redirects an unknown username to the creators', async () => {
    const router = await open({ list_creators_admin: [] });
    expect(router.state.location.pathname).toBe('/admin/gallery');
  });

  it('waits for the creator', async () => {
    await open({ list_creators_admin: never });
    expect(screen.getByText('Loading...')).toBeTruthy();
  });
});

describe('leave guard of the gallery', () => {
  const dialog = (): HTMLElement => screen.getByRole('alertdialog', { name: 'Unsaved Changes' });
  const leave = async (): Promise<Awaited<ReturnType<typeof open>>> => {
    const router = await open();
    press('Move down', row('a'));
    fireEvent.click(screen.getByRole('link', { name: 'Back to Creators' }));
    await pass(50);
    expect(dialog().textContent).toContain(
      'You have unsaved changes in the gallery. Would you like to save your changes before leaving?',
    );
    return router;
  };

  it('[C2.49] [C4.22] Cancel stays and keeps them', async () => {
    const router = await leave();
    press('Cancel', dialog());
    await pass(50);
    expect(router.state.location.pathname).toBe(ADDRESS);
    expect(order()).toEqual(['b', 'a', 'c']);
  });

  it('[C4.22] Discard Changes leaves without saving', async () => {
    const router = await leave();
    press('Discard Changes', dialog());
    await pass(50);
    expect(router.state.location.pathname).toBe('/admin/gallery');
    expect(server.count('save_gallery_admin')).toBe(0);
  });

  it('[C4.22] Save Changes saves, then leaves', async () => {
    const router = await leave();
    press('Save Changes', dialog());
    await pass(50);
    expect(server.count('save_gallery_admin')).toBe(1);
    expect(router.state.location.pathname).toBe('/admin/gallery');
  });

  it('[C4.22] the admin stays when the save fails', async () => {
    const router = await leave();
    server.answer({ save_gallery_admin: refusal(500, 'No.') });
    press('Save Changes', dialog());
    await pass(50);
    expect(router.state.location.pathname).toBe(ADDRESS);
    expect(messages()).toEqual(['Failed to save changes. Please try again.']);
  });

  it('[C4.22] the navigation of the app asks, too', async () => {
    const router = await open();
    press('Move down', row('a'));
    await act(() => router.navigate('/faq'));
    expect(dialog()).toBeTruthy();
  });

  it('[C4.22] the browser asks when the tab closes, only with unsaved changes', async () => {
    await open();
    const asks = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(asks()).toBe(false);
    press('Move down', row('a'));
    expect(asks()).toBe(true);
    press('Move up', row('a'));
    expect(asks()).toBe(false);
  });
});

describe('conflict with another admin', () => {
  const THEIRS = gallery('abcy', { version: 5, saved_by: 'Rui Okafor', saved_at: '2026-11-22T09:39:00.000Z' });
  const dialog = (): HTMLElement => screen.getByRole('alertdialog', { name: 'The gallery has changed' });
  /** Removes a picture and adds one, and saves after the other admin. */
  const conflict = async (): Promise<void> => {
    await open();
    press('Remove from gallery', row('a'));
    fireEvent.click(screen.getAllByRole('button', { name: 'Add to Gallery' })[0] as HTMLElement);
    server.answer({
      get_gallery_admin: THEIRS,
      save_gallery_admin: (body: unknown) =>
        (body as SaveRequest).p_expected_version === 5
          ? saves(body)
          : refusal(409, 'Somebody else saved.', {}, JSON.stringify({ version: 5 }), { code: '40001' }),
    });
    press('Save Changes');
    await pass(50);
  };

  it('names the other admin, the time and both sets of changes', async () => {
    await conflict();
    expect(dialog().textContent).toContain(
      'Rui Okafor saved it on 22 Nov 2026, 09:39:00 UTC: 1 added. Your changes: 1 added, 1 removed.',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('takes theirs', async () => {
    await conflict();
    press('Take theirs', dialog());
    expect(order()).toEqual(['a', 'b', 'c', 'y']);
    expect(bar()).toBeNull();
  });

  it('shows both sets of changes and saves them on request', async () => {
    await conflict();
    press('See both', dialog());
    expect(order()).toEqual(['b', 'c', 'x', 'y']);
    expect(bar()?.textContent).toContain('1 added, 1 removed');
    press('Save Changes');
    await pass(50);
    expect(bar()).toBeNull();
  });

  it('saves both sets of changes on top', async () => {
    await conflict();
    press('Save on top', dialog());
    await pass(50);
    expect(server.calls.findLast(({ name }) => name === 'save_gallery_admin')?.body).toMatchObject({
      p_expected_version: 5,
      p_gallery_order: ['b', 'c', 'x', 'y'],
    });
    expect(bar()).toBeNull();
  });

  it('keeps the own changes when the dialog is closed, and a discard then loads theirs', async () => {
    await conflict();
    fireEvent.keyDown(dialog(), { key: 'Escape' });
    expect(order()).toEqual(['b', 'c', 'x']);
    press('Discard Changes');
    expect(order()).toEqual(['a', 'b', 'c', 'y']);
    expect(bar()).toBeNull();
  });
});
