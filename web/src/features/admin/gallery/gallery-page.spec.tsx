import { describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import {
  bar,
  gallery,
  onSaved,
  openGallery,
  order,
  press,
  row,
  onGalleryPage,
} from '../../../../test/gallery-editor.js';
import { accessibilityFaults, messages, never, pass, refusal } from '../../../../test/page.js';
import { countRenders } from '../../../../test/renders.js';

const isDisabled = (button: HTMLElement): boolean => button.getAttribute('aria-disabled') === 'true';

onGalleryPage();

describe('GalleryPage', () => {
  it('[C2.43] names the creator, the way back and the next creator', async () => {
    await openGallery();
    expect(screen.getByRole('heading', { level: 1, name: 'Gallery Management: Juno Abara' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to Creators' }).getAttribute('href')).toBe('/admin/gallery');
    expect(screen.getByRole('link', { name: 'Next: Kit Hanamori' }).getAttribute('href')).toBe(
      '/admin/gallery/kithanamori',
    );
  });

  it('[C2.44] lists the gallery in its order', async () => {
    await openGallery();
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(within(row('a')).getByText('Picture a')).toBeTruthy();
    expect(within(row('a')).getByText('17 Nov 2026')).toBeTruthy();
    expect(within(row('a')).getByRole('button', { name: 'Remove from gallery' }).title).toBe('Remove from gallery');
  });

  it('moves an image with its buttons and with Alt ↑ ↓, and announces the position', async () => {
    await openGallery();
    press('Move down', row('a'));
    expect(order()).toEqual(['b', 'a', 'c']);
    fireEvent.keyDown(row('c'), { key: 'ArrowUp', altKey: true });
    expect(order()).toEqual(['b', 'c', 'a']);
    expect(screen.getByText('Moved to Position 2 of 3: Picture c')).toBeTruthy();
    expect(bar()?.textContent).toContain('Unsaved changes: order changed');
    expect(within(row('a')).getByText('Moved from 1')).toBeTruthy();
  });

  it('adds up the moves of a key that is held down, and announces the last position', async () => {
    await openGallery();
    act(() => {
      fireEvent.keyDown(row('a'), { key: 'ArrowDown', altKey: true });
      fireEvent.keyDown(row('a'), { key: 'ArrowDown', altKey: true });
    });
    expect(order()).toEqual(['b', 'c', 'a']);
    expect(screen.getByText('Moved to Position 3 of 3: Picture a')).toBeTruthy();
    fireEvent.keyDown(row('a'), { key: 'ArrowDown', altKey: true });
    press('Discard Changes', bar() as HTMLElement);
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(screen.getByText('Moved to Position 3 of 3: Picture a')).toBeTruthy();
  });

  it('moves an image to the top, to the bottom and to a typed position', async () => {
    await openGallery();
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
    fireEvent.submit(field.closest('form') as HTMLFormElement);
    expect(within(dialog()).getByRole('alert').textContent).toBe('Type a whole number from 1 to 3');
    fireEvent.change(field, { target: { value: '2' } });
    fireEvent.submit(field.closest('form') as HTMLFormElement);
    expect(order()).toEqual(['a', 'c', 'b']);
  });

  describe('the drag handle with the keyboard', () => {
    const handle = (id: string): HTMLElement => within(row(id)).getByRole('button', { name: `Drag Picture ${id}` });
    /** Presses Enter on the handle: the browser makes a click of it. */
    const enter = (id: string): void => {
      if (fireEvent.keyDown(handle(id), { key: 'Enter' })) fireEvent.click(handle(id));
    };
    const isLifted = (id: string): boolean => handle(id).getAttribute('aria-pressed') === 'true';

    it('lifts an image, moves it and drops it', async () => {
      await openGallery();
      act(() => handle('c').focus());
      enter('c');
      expect(isLifted('c')).toBe(true);
      expect(
        screen.getByText('Lifted. Position 3 of 3. Arrow keys move it, Enter drops it, Escape puts it back.'),
      ).toBeTruthy();
      fireEvent.keyDown(handle('c'), { key: 'Home' });
      expect(order()).toEqual(['c', 'a', 'b']);
      expect(screen.getByText('Moved to Position 1 of 3: Picture c')).toBeTruthy();
      fireEvent.keyDown(handle('c'), { key: 'ArrowDown' });
      expect(order()).toEqual(['a', 'c', 'b']);
      fireEvent.keyDown(handle('c'), { key: 'End' });
      expect(order()).toEqual(['a', 'b', 'c']);
      fireEvent.keyDown(handle('c'), { key: 'ArrowUp' });
      enter('c');
      expect(isLifted('c')).toBe(false);
      expect(screen.getByText('Dropped. Position 2 of 3')).toBeTruthy();
      fireEvent.keyDown(handle('c'), { key: 'ArrowUp' });
      expect(order()).toEqual(['a', 'c', 'b']);
    });

    it('puts the image back with Escape', async () => {
      await openGallery();
      act(() => handle('a').focus());
      enter('a');
      fireEvent.keyDown(handle('a'), { key: 'ArrowDown' });
      fireEvent.keyDown(handle('a'), { key: 'ArrowDown' });
      fireEvent.keyDown(handle('a'), { key: 'Escape' });
      expect(order()).toEqual(['a', 'b', 'c']);
      expect(isLifted('a')).toBe(false);
      expect(screen.getByText('Not moved. Position 1 of 3')).toBeTruthy();
      expect(bar()).toBeNull();
    });

    it('drops the image when the focus goes elsewhere, and ignores a key that is held down', async () => {
      await openGallery();
      act(() => handle('a').focus());
      enter('a');
      expect(fireEvent.keyDown(handle('a'), { key: 'Enter', repeat: true })).toBe(false);
      expect(isLifted('a')).toBe(true);
      fireEvent.keyDown(handle('a'), { key: 'ArrowDown' });
      act(() => within(row('c')).getByRole('button', { name: 'Move up' }).focus());
      expect(isLifted('a')).toBe(false);
      expect(order()).toEqual(['b', 'a', 'c']);
    });

    it('renders only the images that a key changes', async () => {
      await openGallery({ get_gallery_admin: gallery('abcdefgh') });
      act(() => handle('c').focus());
      const rendered = (run: () => void): number => countRenders('RowContent', run);
      const press = (key: string) => rendered(() => fireEvent.keyDown(handle('c'), { key }));
      expect(rendered(() => enter('c'))).toBe(1);
      // The image that moves and the one that it passes; with the second key a third one loses the tag “Moved from 4”.
      expect([press('ArrowDown'), press('ArrowDown'), press('ArrowDown')]).toEqual([2, 3, 2]);
      expect(rendered(() => fireEvent.keyDown(row('h'), { key: 'ArrowUp', altKey: true }))).toBe(2);
      expect(rendered(() => enter('c'))).toBe(1);
    });
  });

  it('removes an image and puts it back', async () => {
    await openGallery();
    press('Remove from gallery', row('b'));
    expect(order()).toEqual(['a', 'c']);
    expect(bar()?.textContent).toContain('Unsaved changes: 1 removed');
    expect(screen.getByText('Removed: ‘Picture b’')).toBeTruthy();
    press('Put back: Picture b');
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(bar()).toBeNull();
  });

  it('[C2.44] says that the gallery is empty', async () => {
    await openGallery({ get_gallery_admin: gallery('') });
    expect(screen.getByText('No items in gallery')).toBeTruthy();
  });

  it('[C2.45] [C2.46] adds generations, marks those in the gallery, and refuses those without an image', async () => {
    await openGallery();
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
    const { server } = await openGallery();
    expect(screen.getByText('Page 1 of 3')).toBeTruthy();
    press('Next');
    await pass(50);
    const last = (): unknown => server.last('list_creator_generations_admin');
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
    await openGallery();
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
    await openGallery();
    press('Remove from gallery', row('a'));
    fireEvent.click(screen.getAllByRole('button', { name: 'Add to Gallery' })[0] as HTMLElement);
    press('Move up', row('x'));
    expect(bar()?.textContent).toContain('Unsaved changes: 1 added, 1 removed, order changed');
    press('Discard Changes');
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(bar()).toBeNull();
  });

  it('[C4.20] saves the order with the version that was loaded', async () => {
    const { server } = await openGallery();
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
    await openGallery({ save_gallery_admin: refusal(500, 'Something went wrong on our side. Please try again.') });
    press('Move down', row('a'));
    press('Save Changes');
    await pass(50);
    expect(messages()).toEqual(['Failed to save changes. Please try again.']);
    expect(order()).toEqual(['b', 'a', 'c']);
    expect(bar()).toBeTruthy();
  });

  it('[C5.11] [C8.16] asks for another try when a save has no session', async () => {
    await openGallery({ save_gallery_admin: refusal(401, 'Authentication required for gallery modifications') });
    press('Move down', row('a'));
    press('Save Changes');
    await pass(50);
    expect(messages()).toEqual(['Authentication required. Please try again.']);
    expect(bar()).toBeTruthy();
  });

  it('[C8.16] reports what could not be loaded', async () => {
    const { server } = await openGallery({
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
    const { router } = await openGallery({ list_creators_admin: [] });
    expect(router.state.location.pathname).toBe('/admin/gallery');
  });

  it('waits for the creator', async () => {
    await openGallery({ list_creators_admin: never });
    expect(screen.getByText('Loading...')).toBeTruthy();
  });
});
