import { describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { ADDRESS, openGallery, order, press, row, onGalleryPage } from '../../../../test/gallery-editor.js';
import { messages, pass, refusal, click } from '../../../../test/page.js';

onGalleryPage();

describe('leave guard of the gallery', () => {
  const dialog = (): HTMLElement => screen.getByRole('alertdialog', { name: 'Unsaved Changes' });
  const leave = async (): ReturnType<typeof openGallery> => {
    const page = await openGallery();
    press('Move down', row('a'));
    await click(screen.getByRole('link', { name: 'Back to Creators' }), 50);
    expect(dialog().textContent).toContain(
      'You have unsaved changes in the gallery. Would you like to save your changes before leaving?',
    );
    return page;
  };

  it('[C2.49] [C4.22] Cancel stays and keeps them', async () => {
    const { router } = await leave();
    press('Cancel', dialog());
    await pass(50);
    expect(router.state.location.pathname).toBe(ADDRESS);
    expect(order()).toEqual(['b', 'a', 'c']);
  });

  it('[C4.22] Discard Changes leaves without saving', async () => {
    const { router, server } = await leave();
    press('Discard Changes', dialog());
    await pass(50);
    expect(router.state.location.pathname).toBe('/admin/gallery');
    expect(server.count('save_gallery_admin')).toBe(0);
  });

  it('[C4.22] Save Changes saves, then leaves', async () => {
    const { router, server } = await leave();
    press('Save Changes', dialog());
    await pass(50);
    expect(server.count('save_gallery_admin')).toBe(1);
    expect(router.state.location.pathname).toBe('/admin/gallery');
  });

  it('[C4.22] the admin stays when the save fails', async () => {
    const { router, server } = await leave();
    server.answer({ save_gallery_admin: refusal(500, 'No.') });
    press('Save Changes', dialog());
    await pass(50);
    expect(router.state.location.pathname).toBe(ADDRESS);
    expect(messages()).toEqual(['Failed to save changes. Please try again.']);
  });

  it('[C4.22] the navigation of the app asks, too', async () => {
    const { router } = await openGallery();
    press('Move down', row('a'));
    await act(() => router.navigate('/faq'));
    expect(dialog()).toBeTruthy();
  });

  it('[C4.22] the browser asks when the tab closes, only with unsaved changes', async () => {
    await openGallery();
    const asks = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(asks()).toBe(false);
    press('Move down', row('a'));
    expect(asks()).toBe(true);
    press('Move up', row('a'));
    expect(asks()).toBe(false);
  });
});
