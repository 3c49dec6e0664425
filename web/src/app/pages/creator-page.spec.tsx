import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import {
  accessibilityFaults,
  CREATOR,
  fakeServer,
  GALLERY_ITEM,
  pass,
  PICTURE,
  renderPage,
  onPage,
} from '../../../test/page.js';
import Page from './creator-page.js';

describe('page of a creator', () => {
  onPage();

  const open = async (fields: Partial<PublicCreator>, gallery: readonly unknown[] = []) => {
    fakeServer({
      get_public_creator_by_username: { ...CREATOR, ...fields },
      get_gallery_generations_public: gallery,
      has_active_pending_generation_jwt: false,
    });
    await renderPage(<Page />, '/junoabara', '/:username');
    await pass(10);
  };

  it('[F2.02] shows the photo, name, seal, bio, links, gallery and prompt bar of the creator', async () => {
    const handles = { instagram: '@juno', twitter: 'juno', onlyfans: 'junoabara' };
    await open({ ...handles, profile: PICTURE }, [GALLERY_ITEM]);
    const name = screen.getByRole('heading', { level: 1, name: /^Juno Abara/ });
    expect(within(name).getByRole('img', { name: 'Verified creator' })).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Portrait of Juno Abara' })).toBeTruthy();
    expect(screen.getByText('Harbours at night.').parentElement?.textContent).toContain('@junoabara');
    const href = (name: RegExp): string | null => screen.getByRole('link', { name }).getAttribute('href');
    expect([/^Instagram/, /^Twitter/, /^OnlyFans/].map(href)).toEqual([
      'https://www.instagram.com/juno',
      'https://x.com/juno',
      'https://onlyfans.com/junoabara',
    ]);
    expect(screen.getByRole('heading', { name: 'GALLERY' })).toBeTruthy();
    // On every width.
    for (const fact of ['10 credits an image, refunded if it fails', 'Half of each paid image goes to Juno Abara']) {
      const [item] = screen.getAllByRole('listitem').filter(({ textContent }) => textContent === fact);
      expect(item?.closest('.hidden')).toBeNull();
    }
    expect(screen.getByRole('link', { name: GALLERY_ITEM.prompt })).toBeTruthy();
    expect(screen.getByRole('textbox', { name: /^Describe an image in/ })).toBeTruthy();
  });

  it('[F2.03] reports an unknown creator, and links to the home page', async () => {
    fakeServer({ get_public_creator_by_username: null });
    await renderPage(<Page />, '/nobody', '/:username');
    await pass(10);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Creator not found');
    expect(screen.getByRole('link', { name: 'Back to Discovery' }).getAttribute('href')).toBe('/');
  });

  it('shows the gallery and a notice in place of the prompt box while the creator pauses', async () => {
    await open({ paused: true, can_generate: false });
    expect(screen.getByRole('status').textContent).toContain('Juno Abara is taking a break.');
    expect(screen.getByRole('heading', { name: 'GALLERY' })).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows that the creator has left', async () => {
    await open({ withdrawn: true, is_visible: false, can_generate: false, bio: '' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Juno Abara has left Fanvas');
    expect(screen.queryByText('Creator Archived.')).toBeNull();
    expect(screen.getByRole('link', { name: 'See other creators' })).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
