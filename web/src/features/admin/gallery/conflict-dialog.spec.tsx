import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import {
  bar,
  gallery,
  openGallery,
  order,
  press,
  row,
  saves,
  type SaveRequest,
  onGalleryPage,
} from '../../../../test/gallery-editor.js';
import { accessibilityFaults, never, pass, refusal, type FakeServer } from '../../../../test/page.js';

onGalleryPage();

describe('conflict with another admin', () => {
  const THEIRS = gallery('abcy', { version: 5, saved_by: 'Rui Okafor', saved_at: '2026-11-22T09:39:00.000Z' });
  const dialog = (): HTMLElement => screen.getByRole('alertdialog', { name: 'The gallery has changed' });
  /** Removes a picture and adds one, and saves after the other admin. */
  const conflict = async (): Promise<FakeServer> => {
    const { server } = await openGallery();
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
    return server;
  };

  it('names the other admin, the time and both sets of changes', async () => {
    await conflict();
    expect(dialog().textContent).toContain(
      'Rui Okafor saved it on 22 Nov 2026, 09:39:00 UTC: 1 added. Your changes: 1 added, 1 removed.',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('stays as it is after Cancel, with the own changes unsaved', async () => {
    const server = await conflict();
    const before = [order(), server.count('save_gallery_admin')];
    press('Cancel', dialog());
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect([order(), server.count('save_gallery_admin')]).toEqual(before);
    expect(bar()?.textContent).toContain('1 added, 1 removed');
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
    const server = await conflict();
    press('Save on top', dialog());
    await pass(50);
    expect(server.last('save_gallery_admin')).toMatchObject({
      p_expected_version: 5,
      p_gallery_order: ['b', 'c', 'x', 'y'],
    });
    expect(bar()).toBeNull();
  });

  it('does nothing else while it saves on top', async () => {
    const server = await conflict();
    server.answer({ save_gallery_admin: never });
    press('Save on top', dialog());
    await pass(50);
    for (const name of ['Take theirs', 'See both', 'Cancel']) press(name, dialog());
    fireEvent.keyDown(dialog(), { key: 'Escape' });
    expect(dialog().textContent).toContain('Saving...');
    expect(order()).toEqual(['b', 'c', 'x', 'y']);
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
