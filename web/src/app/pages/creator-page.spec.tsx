import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { accessibilityFaults, CREATOR, endPage, fakeServer, pass, renderPage, startPage } from '../../../test/page.js';
import Page from './creator-page.js';

describe('page of a creator', () => {
  beforeEach(startPage);
  afterEach(endPage);

  const open = async (fields: Partial<PublicCreator>) => {
    fakeServer({
      get_public_creator_by_username: { ...CREATOR, ...fields },
      get_gallery_generations_public: [],
      has_active_pending_generation_jwt: false,
    });
    await renderPage(<Page />, '/junoabara', '/:username');
    await pass(10);
  };

  it('shows the gallery and a notice in place of the prompt box while the creator pauses', async () => {
    await open({ paused: true, can_generate: false });
    expect(screen.getByText('Juno Abara is taking a break.')).toBeTruthy();
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
